"""How a question and a decision become requests to the agent: history, files, what a run waits for.

The run of a question begins at once. While an earlier answer is going on, or a file that came with
it is being read, it says so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.agent import Agent, Decision, Event, Request, RunBudget
from core.chats.active_runs import ActiveRun, Begin
from core.chats.conversations import Conversations
from core.chats.queries import SavedRun
from core.errors import ScrutineerError
from core.language import Language
from core.library import IngestWorker, ScopeChoice, UploadJob


def begin_question(
    agent: Agent,
    chats: Conversations,
    conversation_id: str,
    request: Request,
    worker: IngestWorker,
    jobs: Sequence[UploadJob],
    language: Language,
) -> Begin:
    """Return what starts a run on a question in a conversation (`ActiveRuns.start`).

    Its history is that of the conversation; the documents of its files, which are `jobs` of the
    worker, go before those that were chosen. Both are looked up when what it waits for has ended;
    the run then raises ScrutineerError `not_added` if no file became a document.
    """
    queue = worker.queue

    def settle() -> Request:
        now = queue.refresh_jobs(jobs)
        added = [job.document_id for job in now if job.document_id and job.state != "failed"]
        if jobs and not added:
            reasons = " ".join(dict.fromkeys(job.message for job in now if job.message))
            sentence = language.say("question-file-missing")
            raise ScrutineerError(f"{sentence} {reasons}".strip(), code="not_added")
        choice = ScopeChoice(documents=tuple(added)) if added else request.choice
        return replace(request, history=chats.list_turns(conversation_id), choice=choice)

    def report_waiting(previous: ActiveRun | None) -> Iterator[str]:
        """Yield what the run waits for, as long as it does: an earlier answer, and its files."""
        while previous and not previous.has_ended:
            yield language.say("question-waits")
        while unfinished := [job for job in queue.refresh_jobs(jobs) if job.unfinished]:
            worker.ensure_running()
            job = unfinished[0]
            if job.of:
                pages = {"page": job.done, "pages": job.of}
                yield language.say("question-reads-page", file=job.name, **pages)
            else:
                yield language.say("question-reads", file=job.name)

    def begin(previous: ActiveRun | None) -> tuple[Iterator[Event], Iterator[str]]:
        ready = replace(request, history=chats.list_turns(conversation_id))
        waits = replace(ready, settle=settle) if jobs or previous else ready
        return agent.ask(waits), report_waiting(previous)

    return begin


def resume_run(
    agent: Agent, chats: Conversations, run: SavedRun, decision: Decision, budget: RunBudget
) -> Iterator[Event]:
    """Resume a saved run by a decision; yield its events, not saved yet."""
    history = chats.list_turns(run.conversation_id, before=run.run_id)
    request = Request(run.question, budget=budget, history=history)
    return agent.resume(run.events, request, decision)
