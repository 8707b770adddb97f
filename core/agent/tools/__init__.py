"""The tools of the agent. Each is a function; a model reads its docstring as its description."""
