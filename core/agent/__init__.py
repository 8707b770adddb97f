"""THINK: the iterative agent. A question becomes a run, and the run yields typed events."""
