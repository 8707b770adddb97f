"""What the service offers beside questions: each path, its request, its reply, and what answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from core.api import shapes
from core.api.json_api import ArticleRequest, JsonObject, SearchRequest
from core.api.requests import CompareRequest, DocumentsRequest, LimitsRequest, VerifyRequest
from core.api.shared import Shared

MAX_PARAMETER = 500
"""Characters of a parameter: servers and proxies refuse addresses of more than some kilobytes."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A path of the service: GET takes its request as parameters, POST as a JSON body."""

    name: str
    method: Literal["GET", "POST"]
    request: type[BaseModel]
    reply: Any
    answer: Callable[[Shared, Any, Callable[[], bool]], JsonObject]
    """From what all share, a valid request, and whether its sender has gone, which long work asks
    now and then; raises ScrutineerError."""
    summary: str


OPERATIONS = (
    Operation(
        "documents",
        "GET",
        DocumentsRequest,
        shapes.DocumentsReply,
        lambda shared, request, _: request.answer(shared.library),
        "List the rulebooks, with their ids.",
    ),
    Operation(
        "search",
        "GET",
        SearchRequest,
        shapes.SearchReply,
        lambda shared, request, _: request.find(shared.library),
        "Find rules by words or by an article number.",
    ),
    Operation(
        "article",
        "GET",
        ArticleRequest,
        shapes.FoundArticle | shapes.MissingArticle,
        lambda shared, request, _: request.trace(shared.library),
        "Return an article word for word with its history, or those that its number may mean.",
    ),
    Operation(
        "compare",
        "GET",
        CompareRequest,
        shapes.CompareReply,
        lambda shared, request, _: request.answer(shared.library),
        "Compare two documents rule by rule and word by word.",
    ),
    Operation(
        "limits",
        "GET",
        LimitsRequest,
        shapes.LimitsReply,
        lambda shared, request, _: request.answer(shared.library),
        "List every limit that a document sets.",
    ),
    Operation(
        "verify",
        "POST",
        VerifyRequest,
        shapes.VerifyReply,
        lambda shared, request, has_gone: request.answer(shared.rule_texts(), has_gone),
        "Check every quote and every cited article of a text.",
    ),
)
