"""What a run leaves on disk: records that survive a kill, and the published layouts."""
