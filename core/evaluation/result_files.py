"""The results of an evaluation as files."""

import json
from collections.abc import Mapping

from core.evaluation.metrics import evaluation_json, result_json
from core.evaluation.runner import Evaluation
from core.exports import csv_file


def results_csv(evaluation: Evaluation) -> bytes:
    """The results as CSV, one row each. Several values in a cell are separated by semicolons."""
    rows = [result_json(result) for result in evaluation.results]
    names = list(rows[0]) if rows else []

    def cell(value: object) -> object:
        return "; ".join(map(str, value)) if isinstance(value, tuple) else value

    return csv_file(names, ([cell(row[name]) for name in names] for row in rows))


def results_json(evaluation: Evaluation, earlier: Evaluation | None) -> str:
    value: Mapping[str, object] = {
        **evaluation_json(evaluation, earlier),
        "results": [result_json(result) for result in evaluation.results],
    }
    return json.dumps(value, ensure_ascii=False, indent=1)
