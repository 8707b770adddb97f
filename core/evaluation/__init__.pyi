"""What other rooms may use of `core.evaluation`."""

from .background import BackgroundEvaluation as BackgroundEvaluation
from .questions import (
    KeyedQuestion as KeyedQuestion,
    read_questions as read_questions,
    select_held as select_held,
)
from .result_text import EvaluationText as EvaluationText
from .results import (
    Evaluation as Evaluation,
    Method as Method,
    QuestionResult as QuestionResult,
)
from .runner import (
    EvaluationStore as EvaluationStore,
    RunnerContext as RunnerContext,
    make_agent_runner as make_agent_runner,
    make_search_runner as make_search_runner,
    run_evaluation as run_evaluation,
)
