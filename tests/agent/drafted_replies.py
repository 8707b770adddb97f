"""Runs over HTTP whose every draft is given, and whose judge gives 9 to all of them.

A kind judge calls all statements supported, one who `contradict`s none.

In a draft `{21.3|words}` ends a text block that rests on the piece of Article 21.3 with these
words, as the Messages API cites; `[21.3]` or `{21.3}` is the marker of that article, as models
without server citations write it.
"""

import re

from core.agent.loop import Agent, Request
from core.agent.models.claude import Claude
from core.agent.types import RunBudget
from core.library.types import ScopeChoice
from core.model_calls.client import make_client
from core.model_calls.messages_api import MessagesApi
from core.settings import Settings
from tests.messages_server import (
    MessagesServer,
    assessed,
    classified,
    location,
    said,
    search_results,
    support,
    text,
)

CITED = re.compile(r"((?:(?!\{).)*)((?:\{[^}]+\})+)", re.S)
MARKER = re.compile(r"\[((?:[A-Z]{1,3}\.?)?\d[\w.]*)\]|\{([^|}]+)\}")


def find_block(body, article):
    """The place and the block of an article among the `search_result` blocks of a request."""
    for index, block in enumerate(search_results(body)):
        if re.match(rf"\[\d+\] (?:Article )?{re.escape(article)}(?: |,|$)", block["title"]):
            return index, block
    raise AssertionError(f"{article} was not found")


def cite_words(body, article, words):
    """The citation of the piece of an article that has these words."""
    index, block = find_block(body, article)
    for place, piece in enumerate(block["content"]):
        if words in " ".join(piece["text"].split()):
            return location(block, index, place)
    raise AssertionError(f"{article} has no piece with “{words}”")


def reply_with(body, draft):
    """The reply that a draft is: its blocks with their citations."""
    draft = MARKER.sub(
        lambda m: find_block(body, m[1] or m[2])[1]["title"].split("]")[0] + "]", draft
    )
    blocks, end = [], 0
    for match in CITED.finditer(draft):
        places = re.findall(r"\{([^|}]+)\|([^}]+)\}", match[2])
        blocks.append(text(match[1], *(cite_words(body, *place) for place in places)))
        end = match.end()
    return said("TASK_COMPLETE:\n", *blocks, *([draft[end:]] if draft[end:].strip() else []))


def find_stated(body, number):
    """A statement that a judge is asked of, and the clauses that it cites, as they are shown."""
    shown, _, listed = body["messages"][0]["content"].rpartition("<statements>")
    [(words, cited)] = re.findall(rf"(?ms)^{number}\. (.+?)\n   cites (.+?)$", listed)
    clauses = re.findall(r'(?s)<clause marker="(\d+)"[^>]*>\n(.*?)\n</clause>', shown)
    return words, [text for marker, text in clauses if f"[{marker}]" in cited]


def contradict(body, number):
    """The verdict of a judge who knows that a draft is wrong, with words of a cited clause."""
    _, [clause, *_] = find_stated(body, number)
    return {"words": clause.splitlines()[0], "verdict": "contradicted"}


def run_drafted(library, question, look, draft, document, rule=support):
    """The events of a run on a document of which each draft is this one; it looks for `look`."""

    def reply(body):
        if body.get("stream"):
            return reply_with(body, draft.strip())
        if "first step" in body["system"][0]["text"]:
            return classified(question=question, query=look)
        return assessed(9)

    scope, budget = ScopeChoice(document=document.document_id), RunBudget(max_iterations=1)
    with MessagesServer(iter(lambda: reply, None), rule=rule) as server:
        settings = Settings(
            _env_file=None, anthropic_base_url=server.url, anthropic_api_key="sk-ant-test"
        )
        with make_client(settings) as client:
            model = Claude(settings, MessagesApi(settings, client))
            return list(Agent(library, model).ask(Request(question, scope, budget)))
