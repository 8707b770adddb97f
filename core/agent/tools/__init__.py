"""The five tools, a module each or two of a kind. A tool is a function: its docstring is what a model reads of it."""
