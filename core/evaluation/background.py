"""One evaluation at work in a thread of its own: started, watched and stopped from elsewhere. It shows nothing."""

import sys
from collections.abc import Sequence
from threading import Event, Lock, Thread

from core.errors import ScrutineerError
from core.evaluation.questions import Question
from core.evaluation.runner import Evaluation, EvaluationStore, QuestionRunner, run_evaluation
from core.logs import log_failure

_BROKE_OFF = "The evaluation broke off: something failed in Scrutineer itself. What it had is kept; the log says more."


class BackgroundEvaluation:
    """The work on one evaluation at a time; what it has come to is kept after each question."""

    def __init__(self, store: EvaluationStore) -> None:
        self._kept = store
        self._starting = Lock()
        self._thread: Thread | None = None
        self.stopping = Event()
        self.evaluation: Evaluation | None = None
        """The one at work, or the last that was."""
        self.trouble = ""
        """Why the last one ended before its time, in a sentence."""

    @property
    def is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def start(
        self, evaluation: Evaluation, questions: Sequence[Question], run_question: QuestionRunner
    ) -> None:
        """Begin; `put` looks at `stopping`. Raises ScrutineerError `busy` while another is going on."""
        with self._starting:
            if self.is_running:
                raise ScrutineerError(
                    "An evaluation is going on already. Stop it, or wait for its end.", code="busy"
                )
            self.stopping.clear()
            self.evaluation, self.trouble = evaluation, ""
            # A daemon, so that the program can end in the middle: all but the question at hand is kept.
            self._thread = Thread(
                target=self._work, args=(evaluation, questions, run_question), daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Let it end with the question that it is at, which is not counted."""
        self.stopping.set()

    def wait(self, seconds: float) -> None:
        """Wait for its end, but no longer than this."""
        if self._thread is not None:
            self._thread.join(seconds)

    def _work(
        self, evaluation: Evaluation, questions: Sequence[Question], put: QuestionRunner
    ) -> None:
        trouble = _BROKE_OFF  # unless it comes to one of the ends that are known
        try:
            for so_far in run_evaluation(evaluation, questions, put, self._kept):
                self.evaluation = so_far
            trouble = ""
        except ScrutineerError as error:
            trouble = error.message
        finally:
            self.trouble = trouble
            if (unknown := sys.exception()) is not None:
                log_failure(unknown, "an evaluation")
