"""The five tools, a module each or two of a kind, and what else a run asks of the library through the toolbox.

A tool is a function: its docstring is what a model reads of it.
"""
