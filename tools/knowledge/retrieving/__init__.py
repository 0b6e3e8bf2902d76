"""From nodes to concepts: walks that a model asks for, and what the keywords of a video share."""
