"""What other rooms may use of `core.evaluation`."""

from .background import BackgroundEvaluation as BackgroundEvaluation
from .metrics import (
    Metrics as Metrics,
    ResultFilter as ResultFilter,
    classify_result as classify_result,
    common_results as common_results,
    evaluation_json as evaluation_json,
    filter_results as filter_results,
    find_earlier_evaluation as find_earlier_evaluation,
    grade_result as grade_result,
    is_right as is_right,
    list_filters as list_filters,
    result_json as result_json,
    results_csv as results_csv,
    results_json as results_json,
)
from .questions import (
    KeyedQuestion as KeyedQuestion,
    read_questions as read_questions,
    select_held as select_held,
)
from .result_text import (
    MetricLine as MetricLine,
    describe_evaluation as describe_evaluation,
    list_metrics as list_metrics,
    list_result_facts as list_result_facts,
    list_shares as list_shares,
)
from .runner import (
    EVALUATIONS_FOLDER as EVALUATIONS_FOLDER,
    Evaluation as Evaluation,
    EvaluationStore as EvaluationStore,
    Method as Method,
    QuestionResult as QuestionResult,
    RunnerContext as RunnerContext,
    make_agent_runner as make_agent_runner,
    make_search_runner as make_search_runner,
    new_evaluation as new_evaluation,
    run_evaluation as run_evaluation,
)
