"""DESCRIBE WHAT LEAVES: the JSON of commands, HTTP and MCP, and the rows of files, as pydantic.

The names that others may import are in `__init__.pyi`. Each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
