"""The language models: their protocol, Claude, and one that works offline."""
