"""Values made of the fields of others: what two shapes share is named once."""

from typing import Any, TypeVar

Shape = TypeVar("Shape")


def copy_fields(kind: type[Shape], /, *sources: object, **given: Any) -> Shape:
    """Return a value of what is given, and of its other fields by the names of the sources.

    `kind` is a dataclass or a pydantic model, and the first source that has a name counts. Raises
    TypeError or ValidationError where no source has a field that is needed.
    """
    fields = getattr(kind, "model_fields", None) or getattr(kind, "__dataclass_fields__", {})
    for name in fields.keys() - given.keys():
        for source in sources:
            if hasattr(source, name):
                given[name] = getattr(source, name)
                break
    return kind(**given)
