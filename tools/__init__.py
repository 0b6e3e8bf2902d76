"""What a mind can pick up: frames of a video, a graph of metaphors, the hop tool, and plug-ins."""
