"""Sweeps: settings go through their values; what cells share is paid once, what differs is compared."""
