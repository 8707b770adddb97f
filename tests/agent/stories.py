"""Small values for the tests of the agent."""

from core.agent.types import Citation, Source


def source(marker: int, article: str, text: str, **more) -> Source:
    fields = {
        "clause_id": f"doc:{article}",
        "document_id": "doc",
        "document": "2024 Meridian Cup Sporting Regulations, Issue 1",
        "title": "",
        "breadcrumb": (),
        "season": 2024,
        "issue": 1,
        "page_first": 9,
        "page_last": 9,
        "score": 1.0,
        "why": "words",
    } | more
    return Source(marker=marker, article=article, text=text, **fields)


def cited(of: Source, quote: str) -> Citation:
    return Citation(
        marker=of.marker,
        clause_id=of.clause_id,
        document_id=of.document_id,
        document=of.document,
        article=of.article,
        part=None,
        title=of.title,
        quote=quote,
        page=of.page_first,
        season=of.season,
        issue=of.issue,
    )
