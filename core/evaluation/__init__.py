"""MEASURE: question sets put to the agent or to search, and their metrics."""

from core.evaluation.background import BackgroundEvaluation
from core.evaluation.metrics import (
    RESULT_LABELS,
    Metrics,
    classify_result,
    common_results,
    compute_metrics,
    evaluation_json,
    find_earlier_evaluation,
    grade_result,
    is_right,
    result_json,
)
from core.evaluation.questions import Question, read_questions
from core.evaluation.runner import (
    EVALUATIONS_FOLDER,
    HIT_DEPTH,
    Evaluation,
    EvaluationStore,
    QuestionResult,
    RunnerContext,
    make_agent_runner,
    make_search_runner,
    new_evaluation,
    run_evaluation,
)
