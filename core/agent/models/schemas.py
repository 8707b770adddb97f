"""What the decision model fills in, as pydantic shapes that are checked on arrival."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from types import GenericAlias
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, Field, create_model, model_validator

from core.agent.markdown import format_compliance
from core.agent.models.base import (
    CHARACTERS_PER_TOKEN,
    Assessment,
    Classification,
    ClassifyRequest,
    ScoreRequest,
)
from core.agent.models.messages import describe_source, fill_prompt, quote_source, wrap_in_tag
from core.agent.types import Intent, PlanStep, Score, Strategy
from core.copied_fields import copy_fields
from core.model_calls import ToolSpec
from core.verification import (
    Ruling,
    Source,
    StatedRule,
    StatementVerdict,
    clause_text,
    contains_parts,
    normalize_text,
)

Grade = Literal[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
"""An enumeration, not a range: the server enforces values, while bounds are only advice to it."""
STATEMENTS_PER_CALL = 8
"""Statements that one call rules on, so that a small local model manages its list."""
CLAUSE_TOKENS_PER_CALL = 6_000
"""Tokens of whole clauses in one call of the judge."""


class StepReply(BaseModel):
    """A further step of a plan."""

    tool: str
    query: str


class ClassificationReply(BaseModel):
    """A classification as the model writes it; a request restricts `tool` and `documents`."""

    question: str = Field(
        description="The question as it stands alone, follow-ups resolved, in its own language."
    )
    intent: Intent
    reason: str = Field(description="Why this intent and this plan, in one sentence.")
    kind: Literal["tool", "answer", "decline", "clarify"]
    tool: str
    query: str = Field(description="What the tool looks for.")
    further: list[StepReply] = Field(
        [], description="Further steps, only for a question of several parts."
    )
    documents: list[str] = Field(description="Handles of the documents to look in; empty for all.")
    reply: str = Field(description="Empty for kind tool; else the reply itself.")

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.kind != "tool" and not self.reply.strip():
            raise ValueError("a reply is missing")
        return self


class CriterionReply(BaseModel):
    """One criterion; the reason comes first, so that the grade follows from it."""

    reason: str = Field(description="One sentence.")
    score: Grade


class VerdictReply(BaseModel):
    """The verdict on a statement; the words come first, so that the verdict follows from them."""

    number: int
    words: str = Field(description="The words of the clause that decide, copied; empty for none.")
    verdict: Ruling


class VerdictsReply(BaseModel):
    """Verdicts as the model writes them; a request restricts them to its statements, each once."""

    statements: list[VerdictReply] = []


class AssessmentReply(VerdictsReply):
    """An assessment as the model writes it; a request restricts `tool` too."""

    completeness: CriterionReply
    clarity: CriterionReply
    specificity: CriterionReply
    missing: str = Field(description="What the draft lacks, in a few words; empty if nothing.")
    strategy: Strategy
    tool: str
    query: str = Field(description="The next query, in the rulebook's words.")
    ask: str = Field("", description="For CLARIFY: the question to the person, a sentence.")
    reason: str = Field(description="Why this strategy, in one sentence.")
    intent: Intent | None = Field(
        None, description="The intent, only if it turned out to be another one."
    )
    step_met: bool = Field(False, description="The draft does what this step of the plan was for.")
    suggestions: list[str] = Field([], description="Up to three questions the reader may ask next.")


def make_classification_schema(request: ClassifyRequest) -> type[ClassificationReply]:
    """Return the shape with the tools and the document handles of a request as its only values."""
    handles = tuple(handle for handle, _, _ in _list_handles(request))
    return _classification_schema(tuple(tool.name for tool in request.tools), handles)


@lru_cache(maxsize=64)
def _classification_schema(
    tools: tuple[str, ...], handles: tuple[str, ...]
) -> type[ClassificationReply]:
    """Make the shape once for all requests with these values, which takes milliseconds."""
    documents: Any = GenericAlias(list, _one_of(handles)) if handles else list[str]
    return create_model(
        "Classified",
        __base__=ClassificationReply,
        tool=(_one_of(tools), ...),
        documents=(documents, ...),
    )


def make_assessment_schema(
    request: ScoreRequest, statements: Iterable[StatedRule]
) -> type[AssessmentReply]:
    """Return the shape with the tools of a request, and some statements, as its only values."""
    tools = tuple(tool.name for tool in request.tools)
    return _assessment_schema(tools, tuple(one.number for one in statements))


def make_verdicts_schema(statements: Iterable[StatedRule]) -> type[VerdictsReply]:
    """Return the shape of verdicts on statements, and of nothing else."""
    numbers = tuple(one.number for one in statements)
    return create_model("Ruled", __base__=VerdictsReply, statements=_verdicts_of(numbers))


@lru_cache(maxsize=64)
def _assessment_schema(tools: tuple[str, ...], numbers: tuple[int, ...]) -> type[AssessmentReply]:
    own: dict[str, Any] = {"statements": _verdicts_of(numbers)} if numbers else {}
    return create_model("Assessed", __base__=AssessmentReply, tool=(_one_of(tools), ...), **own)


def _verdicts_of(numbers: tuple[int, ...]) -> Any:
    """Return the field of a list that rules on each number once."""

    def has_each_once(verdicts: list[VerdictReply]) -> list[VerdictReply]:
        if sorted(verdict.number for verdict in verdicts) != sorted(numbers):
            raise ValueError("a statement has no verdict, or two")
        return verdicts

    one = create_model("Verdict", __base__=VerdictReply, number=(_one_of(numbers), ...))
    return Annotated[GenericAlias(list, one), AfterValidator(has_each_once)], ...


def to_classification(reply: ClassificationReply, request: ClassifyRequest) -> Classification:
    """Return the classification as the loop uses it."""
    ids = {handle: document_id for handle, document_id, _ in _list_handles(request)}
    names = {tool.name for tool in request.tools}
    question = reply.question.strip() or request.question
    return copy_fields(
        Classification,
        reply,
        question=question,
        query=reply.query.strip() or question,
        reply=reply.reply.strip(),
        further=tuple(
            PlanStep(step.tool, step.query.strip() or question)
            for step in reply.further
            if step.tool in names
        ),
        documents=tuple(ids[handle] for handle in dict.fromkeys(reply.documents) if handle in ids),
    )


def to_assessment(
    reply: AssessmentReply, request: ScoreRequest, ruled: Iterable[VerdictReply]
) -> Assessment:
    """Return the assessment as the loop uses it; `ruled` are the verdicts of earlier batches."""
    verdicts = tuple(_to_verdicts((*ruled, *reply.statements), request))
    names = ("completeness", "clarity", "specificity")
    criteria = {name: getattr(reply, name) for name in names}
    supported = sum(verdict.ruling == "supported" for verdict in verdicts)
    accuracy = " ".join(
        (
            f"{supported} of {len(verdicts)} statements are supported.",
            *filter(None, (verdict.failure for verdict in verdicts)),
        )
    )
    score = Score(
        accuracy=compute_accuracy(verdicts, request.failures),
        **{name: graded.score for name, graded in criteria.items()},
        reasons={name: graded.reason for name, graded in criteria.items()} | {"accuracy": accuracy},
        missing=reply.missing.strip(),
    )
    return Assessment(
        score,
        reply.strategy,
        reply.tool,
        reply.query.strip(),
        reply.reason,
        intent=reply.intent,
        ask=reply.ask.strip(),
        step_met=reply.step_met,
        suggestions=tuple(reply.suggestions),
        statements=verdicts,
    )


def _to_verdicts(
    replies: Iterable[VerdictReply], request: ScoreRequest
) -> Iterator[StatementVerdict]:
    """Yield verdicts as the loop uses them.

    A contradiction by words that were not shown is no more than a lack of support.
    """
    rules = {rule.number: rule for rule in request.statements}
    cited = (source for rule in request.statements for source in rule.sources)
    shown = [clause_text(source) for source in (*cited, *request.evidence)]
    shown += [request.tables, format_compliance(request.requirements)]
    texts = [normalize_text(text) for text in shown]
    for reply in sorted(replies, key=lambda one: one.number):
        rule, words = rules[reply.number], reply.words.strip().strip('“”"')
        is_shown = any(contains_parts(normalize_text(words), text) for text in texts)
        ruling, counts = reply.verdict, rule.tells_rule
        if ruling == "contradicted":
            ruling, counts = (ruling, True) if is_shown else ("not in the evidence", counts)
        yield StatementVerdict(rule.number, rule.text, ruling, words, rule.doubts, counts)


def build_classify_prompt(request: ClassifyRequest) -> str:
    """Return the user message of a classification, with the last five turns of the conversation."""
    history = "\n\n".join(
        f"Asked: {turn.question}\nAnswered: {turn.answer[:1_500]}" for turn in request.history[-5:]
    )
    documents = "\n".join(f"{handle}: {label}" for handle, _, label in _list_handles(request))
    return fill_prompt(
        "classify_ask",
        documents=wrap_in_tag("documents", documents or "none"),
        history=wrap_in_tag("conversation", history or "none"),
        question=wrap_in_tag("question", request.question),
    )


def batch_statements(request: ScoreRequest) -> list[tuple[StatedRule, ...]]:
    """Return the statements of a request by the call that rules on them; one call at least.

    A call has STATEMENTS_PER_CALL at most, and whole clauses of CLAUSE_TOKENS_PER_CALL: only those
    of a single statement may be more.
    """
    batches: list[tuple[StatedRule, ...]] = [()]
    for one in request.statements:
        longer = (*batches[-1], one)
        is_short = len(longer) <= STATEMENTS_PER_CALL
        if batches[-1] and not (is_short and _fits(_list_cited_clauses(request, longer))):
            longer = (one,)
            batches.append(())
        batches[-1] = longer
    return batches


def _list_cited_clauses(request: ScoreRequest, statements: Iterable[StatedRule]) -> list[Source]:
    """Return the clauses that statements cite, as far as they are in the request's evidence."""
    cited = dict.fromkeys(source.clause_id for one in statements for source in one.sources)
    known = {source.clause_id: source for source in request.evidence}
    return [known[clause_id] for clause_id in cited if clause_id in known]


def _fits(clauses: Iterable[Source]) -> bool:
    length = sum(len(clause_text(clause)) for clause in clauses)
    return length <= CLAUSE_TOKENS_PER_CALL * CHARACTERS_PER_TOKEN


def _select_whole(request: ScoreRequest, statements: Sequence[StatedRule]) -> list[Source]:
    """Return the clauses that a call shows whole: those that its statements cite, else the first.

    One is shown however long it is.
    """
    clauses = _list_cited_clauses(request, statements) or list(request.evidence)
    fitting = (clauses[:count] for count in range(len(clauses), 1, -1))
    return next(filter(_fits, fitting), clauses[:1])


def _format_clauses(clauses: Iterable[Source]) -> str:
    return "\n\n".join(map(quote_source, clauses)) or "No clause was found."


def build_score_prompt(request: ScoreRequest, statements: Sequence[StatedRule]) -> str:
    """Return the user message of a scoring: evidence, draft, failed checks, what was tried.

    Clauses that the statements do not cite are named by their titles only.
    """
    whole = _select_whole(request, statements)
    others = (describe_source(source) for source in request.evidence if source not in whole)
    plan, step = request.plan, ""
    if plan.steps > 1:
        later = "; ".join(f'{step.tool} "{step.query}"' for step in plan.further) or "none"
        step = (
            f"The draft is of step {plan.step} of {plan.steps} of the plan:"
            f' {plan.tool} "{plan.query}". Still to come: {later}.'
        )
    return fill_prompt(
        "score_ask",
        question=wrap_in_tag("question", request.question),
        intent=request.intent,
        step=step,
        evidence=_format_clauses(whole),
        others=wrap_in_tag("titles", "\n".join(others) or "none"),
        draft=wrap_in_tag("draft", request.draft),
        checked=format_compliance(request.requirements) or "- no limit was found",
        failures=_format_list(request.failures),
        statements=wrap_in_tag("statements", _format_statements(statements)),
        documents=wrap_in_tag("documents", "\n".join(request.documents) or "none"),
        tables=wrap_in_tag("tool_table", request.tables or "none"),
        references=_format_list(request.references),
        guidance=wrap_in_tag("person", "\n".join(request.guidance) or "nothing"),
        calls=_format_list(request.calls),
        tried=_format_list(f'{tool}: "{query}"' for tool, query in request.tried),
    )


def build_verdicts_prompt(request: ScoreRequest, statements: Sequence[StatedRule]) -> str:
    """Return the user message that asks for verdicts on some statements alone."""
    return fill_prompt(
        "verdicts_ask",
        question=wrap_in_tag("question", request.question),
        evidence=_format_clauses(_select_whole(request, statements)),
        checked=format_compliance(request.requirements) or "- no limit was found",
        tables=wrap_in_tag("tool_table", request.tables or "none"),
        statements=wrap_in_tag("statements", _format_statements(statements)),
    )


def _format_statements(statements: Iterable[StatedRule]) -> str:
    """Return statements with their clauses, the words that they cite, and doubts as questions."""
    lines = []
    for one in statements:
        markers = " ".join(f"[{source.marker}]" for source in one.sources) or "no clause"
        lines.append(f"{one.number}. {one.text}\n   cites {markers}")
        lines += [f"   quoted: “{quote}”" for quote in one.quotes]
        lines += [f"   doubted: {doubt} Is that so?" for doubt in one.doubts]
    return "\n".join(lines) or "none"


def describe_tools(tools: Iterable[ToolSpec]) -> str:
    """Return the tools by name and description, for a prompt that offers none."""
    return "\n".join(f"- `{tool.name}`: {' '.join(tool.description.split())}" for tool in tools)


def _list_handles(request: ClassifyRequest) -> list[tuple[str, str, str]]:
    """Return (handle, id, label): a model is not to spell a hash of 64 digits."""
    return [(f"d{number}", *document) for number, document in enumerate(request.documents, start=1)]


def _one_of(values: Iterable[str | int]) -> Any:
    return Literal.__getitem__(tuple(values))


def _format_list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items) or "- nothing"


def compute_accuracy(verdicts: Sequence[StatementVerdict], failures: Sequence[str] = ()) -> int:
    """Return the accuracy of a draft, from 1 to 10, by what a judge ruled on its statements.

    1 where one is contradicted, at most 4 where a rule is not in the evidence or a fatal check
    failed (`failures`), and two points less for each other statement without support.
    """
    failed = {verdict.ruling for verdict in verdicts if verdict.failure}
    lacking = sum(verdict.ruling == "not in the evidence" for verdict in verdicts)
    most = 1 if "contradicted" in failed else 4 if failed or failures else 10
    return max(1, min(most, 10 - 2 * lacking))
