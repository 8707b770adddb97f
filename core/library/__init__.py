"""KEEP and FIND: documents and clauses in LanceDB, their search and comparison.

The names that others may import are in `__init__.pyi`. Each is loaded when it is first used.
"""

import lazy_loader

from core.library.deferred import defer_package

# The client of a remote LanceDB: a third of the processor time of `import lancedb`.
defer_package("lance_namespace_urllib3_client")

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
