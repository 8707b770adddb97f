"""MEASURE: values held against registers, each with a verdict.

The names that others may import are in `__init__.pyi`. Each is loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
