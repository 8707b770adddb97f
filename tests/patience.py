"""How long a test waits for another process or thread before it says that it never came."""

PATIENCE = 180.0
"""Seconds. A guard against what hangs, no bar for speed: on a machine with other work the first
page of a server, which imports everything, was drawn after more than 20 seconds."""
