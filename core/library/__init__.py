"""KEEP and FIND: documents and clauses in LanceDB, their search and comparison.

The names that others may import are in `__init__.pyi`. Each is loaded when it is first used.
"""

import sys
from importlib.util import find_spec, module_from_spec
from typing import Any

import lazy_loader

# LanceDB imports modules of its remote client, a third of the processor time of `import lancedb`.
# The package itself runs at the first look at one of its names; `LazyLoader` of the standard
# library would run it with the import of a module.
_CLIENT = "lance_namespace_urllib3_client"
_spec = None if _CLIENT in sys.modules else find_spec(_CLIENT)
if _spec is not None:
    _client = sys.modules[_CLIENT] = module_from_spec(_spec)

    def _load_client(attribute: str) -> Any:
        if attribute.startswith("__"):  # the import system looks whether there are some
            raise AttributeError(attribute)
        del _client.__getattr__
        _spec.loader.exec_module(_client)
        return getattr(_client, attribute)

    _client.__getattr__ = _load_client  # type: ignore[method-assign]

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
