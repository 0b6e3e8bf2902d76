"""Files that graphs come in and go out as, each read with faults in words and written without loss."""
