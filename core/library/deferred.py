"""Packages that LanceDB imports at its start and a library never uses, deferred to their use."""

import sys
from importlib.util import find_spec
from types import ModuleType
from typing import Any


def defer_package(name: str) -> None:
    """Have a package run its `__init__` at the first look at one of its names.

    Its modules can be imported before that.
    """
    spec = None if name in sys.modules else find_spec(name)
    if spec is None or spec.loader is None:
        return
    package, loader = ModuleType(name), spec.loader

    def load(attribute: str) -> Any:
        if attribute.startswith("__"):  # the import system looks whether there are some
            raise AttributeError(attribute)
        del package.__getattr__
        loader.exec_module(package)
        return getattr(package, attribute)

    package.__spec__, package.__loader__ = spec, loader
    package.__path__ = list(spec.submodule_search_locations or ())
    package.__getattr__ = load  # type: ignore[method-assign]
    sys.modules[name] = package
