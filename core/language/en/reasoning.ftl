# The reasoning of a run: the line above an answer, panels, checks, calls.

run-open = Still going on
run-cached = { $share } of it read from the cache
run-articles = { $count ->
    [one] { $count } article
   *[other] { $count } articles
} read
run-quotes = { $count ->
    [one] { $count } quote
   *[other] { $count } quotes
} verified
run-computed = { $count } computed
run-failed-checks = { $count ->
    [one] { $count } check
   *[other] { $count } checks
} failed
run-doubts = { $count ->
    [one] { $count } doubt
   *[other] { $count } doubts
}
run-not-held = { $count ->
    [one] { $count } referenced document
   *[other] { $count } referenced documents
} not in your library
run-score = { $iterations }, { $score }
tool-calls = { $count ->
    [one] { $count } tool call
   *[other] { $count } tool calls
}

panel-question = Question
panel-resumed = Continued with
panel-conclude = Concluded by a person
panel-stop = Stopped by a person
intent-SEARCH = looking for one rule
intent-SUMMARY = summing up a topic
intent-COMPARISON = comparing documents
intent-PENALTY = looking for a penalty
intent-GENERAL = a general question
intent-OUT_OF_SCOPE = not about the rules
panel-iteration = Iteration { $number }

decision-accept = accepted
decision-REFINE_QUERY = query refined
decision-SWITCH_TOOL = tool switched
decision-found = closest rules shown
decision-limit = limit reached
decision-next_step = next step
decision-CONCLUDE = concluded
decision-CLARIFY = clarification needed

why-exact = article number
why-words = words
why-vector = meaning
why-reference = referred to
why-definition = defines a term
why-topic = same topic

trace-cost = **Cost** { $cost } for { $calls }
trace-cached = **Cache** { $read } of { $sent } tokens were read from it
trace-guidance = **Guidance** { $guidance }
trace-budget = **Limits** { $budget }
trace-model = **Model** { $models }
trace-model-offline = **Model** { $models }: nothing leaves this machine
trace-intent = **Kind of question** { $intent }: { $reason }
trace-intent-now = **Kind of question** now { $intent }
trace-understood = **Question as understood** { $question }
trace-plan = **Plan**{ $step } { $tool }: { $reason }
trace-plan-step = , step { $step } of { $steps }
trace-query = **Query** { $query }
trace-scope = **Scope** { $documents } ({ $why })
trace-scope-left-out = { $scope }. Left out: { $left }
trace-coverage = { $returned } of { $relevant } relevant clauses are shown.
trace-thinking = **Thinking**
trace-draft = **Draft**
trace-scores = **Scores** mean { $mean } of 10, by { $by }
trace-missing = **Missing** { $missing }
trace-retried = :material/refresh: { $tool }, attempt { $attempt }: { $error }
trace-decision = **Decision** { $name }: { $reason }
trace-planned = **First** { $call }
trace-tool-round = **Tool round { $number }** { $call }
trace-failed = :red[failed] { $error }
trace-reused = from the cache
trace-statements = **Statements** { $supported } of { $count } supported by their clauses
trace-overruled = “{ $statement }” is supported, though it was doubted: { $doubts }
trace-uncounted = “{ $statement }” was called { $ruling }, which does not count: it tells no rule, or no clause has the words given
trace-checks = **Checks** { $passed } of { $count } passed
trace-no-checks = **Checks** there was nothing to check
trace-model-call = :gray[Model call to { $purpose }: { $facts }]
trace-tokens = { $in } tokens in, { $out } out
trace-sent = { $count ->
    [one] { $count } clause
   *[other] { $count } clauses
} sent
trace-tools-offered = tools offered
trace-tools-withheld = tools withheld
purpose-classify = classify
purpose-answer = answer
purpose-score = score
ruling-supported = supported
ruling-contradicted = contradicted
ruling-not-in-the-evidence = not in the evidence
check-quote = quote
check-number = number
check-marker = marker
check-sum = sum
check-duty = duty
check-verdict = verdict
check-uncited = uncited
check-place = place
check-force = force
check-whole = whole
criterion-completeness = Completeness
criterion-accuracy = Accuracy
criterion-clarity = Clarity
criterion-specificity = Specificity
budget-at-most = at most { $most }
budget-rounds = at most { $count } tool rounds in each
budget-any-rounds = any number of tool rounds in each
budget-accepted = accepted from { $score }
budget-not-scored = not scored

export-reasoning = Reasoning
export-cited = Cited
export-page = [{ $number }] Page { $page }
