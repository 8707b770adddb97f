"""An evaluation in a thread of its own: started, watched and stopped by a page."""

import sys
from collections.abc import Iterator, Sequence
from threading import Event, Lock, Thread

from core.errors import ScrutineerError
from core.evaluation.questions import KeyedQuestion
from core.evaluation.runner import Evaluation, EvaluationStore, QuestionRunner, run_evaluation
from core.logs import log_failure


class BackgroundEvaluation:
    """Runs one evaluation at a time and saves its results after each question."""

    def __init__(self, store: EvaluationStore) -> None:
        self._store = store
        self._starting = Lock()
        self._thread: Thread | None = None
        self.stopping = Event()
        self.evaluation: Evaluation | None = None
        """The current one, or the last."""
        self.trouble = ""
        """Why the last one ended early, in a sentence."""

    @property
    def is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def load_finished_evaluations(self) -> dict[str, Evaluation]:
        """Return the evaluations with results by id, newest first, without the one at work."""
        current = self.evaluation.evaluation_id if self.is_running and self.evaluation else None
        saved = self._store.load_all()
        return {
            one.evaluation_id: one for one in saved if one.results and one.evaluation_id != current
        }

    def start(
        self,
        evaluation: Evaluation,
        questions: Sequence[KeyedQuestion],
        run_question: QuestionRunner,
    ) -> None:
        """Start; `run_question` watches `stopping`. Raises ScrutineerError `busy` if one runs."""
        with self._starting:
            if self.is_running:
                message = "An evaluation is going on already. Stop it, or wait for its end."
                raise ScrutineerError(message, code="busy")
            self.stopping.clear()
            self.evaluation, self.trouble = evaluation, ""
            steps = run_evaluation(evaluation, questions, run_question, self._store)
            # A daemon: the program may exit at any time and loses the current question only.
            self._thread = Thread(target=self._run, args=(steps,), daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop at the current question, which is not counted."""
        self.stopping.set()

    def wait(self, seconds: float) -> None:
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self, steps: Iterator[Evaluation]) -> None:
        trouble = (
            "The evaluation broke off: something failed in Scrutineer itself."
            " Its results so far are saved; the log has more."
        )
        try:
            for progress in steps:
                self.evaluation = progress
            trouble = ""
        except ScrutineerError as error:
            trouble = error.message
        finally:
            self.trouble = trouble
            if (unknown := sys.exception()) is not None:
                log_failure(unknown, "an evaluation")
