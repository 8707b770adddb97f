# Runs and evaluations.

runs-all = All runs
runs-open-chat = Open in its chat
runs-gone = The chat of this run was deleted or the link is incomplete.
runs-empty = Nothing has been asked yet. Ask on the page Chat: each run is kept and can be replayed.
runs-words = Words
runs-days = Days, from and to
runs-order = Order
runs-order-newest = newest
runs-order-oldest = oldest
runs-order-best-score = best score
runs-order-worst-score = worst score
runs-order-dearest = dearest
runs-order-slowest = slowest
runs-no-match = No runs match. Relax the filters.
runs-charts = Score, cost and time
runs-shown = { $count ->
    [one] { $count } run
   *[other] { $count } runs
} of { $total }
runs-running = :blue-badge[Running]
runs-asked = Asked { $time }
chart-score = Score
chart-cost = Cost
chart-seconds = Time
chart-score-unit = of 10
chart-empty = No data for these runs.
chart-about = { $name } of { $count ->
    [one] { $count } run
   *[other] { $count } runs
} over time

set-file = Question set (CSV or JSON Lines)
set-help = What a question set looks like
set-format =
    A header and one question per line. `articles` are those that answer it, separated by `;`: any of
    them will do. `none` says that no rule answers the question: it should be refused or left to a
    person, and no answer may be accepted. All other columns are optional. `season` and `document` (a
    label, a file, an id or a family) set the scope. `says` are words that the quotes of these articles
    must contain, separated by `;`: all of them; `legal`, `not legal` and `cannot tell` are verdicts of
    a check. `answer_season` is the season of the right articles, if the question itself has to lead to
    it. In JSON Lines each line is an object with these names.
set-example = Example
set-use-example = Use the example, on the sample rulebooks
set-lacks-samples = The example asks about the sample rulebooks, and the library lacks some of them.
evaluation-title = Evaluation of { $name }
evaluation-progress = { $name }: { $done } of { $count ->
    [one] { $count } question
   *[other] { $count } questions
}
evaluation-stop = Stop the evaluation
evaluation-stopping = Stopping
evaluation-test-with = Test with
evaluation-method-agent = The agent
evaluation-method-search = Search alone
evaluation-costs = Each question is a run, and costs what it would cost in the chat.
evaluation-run = Run { $count ->
    [one] { $count } question
   *[other] { $count } questions
}
evaluation-run-none = Run the questions
evaluation = Evaluation
evaluation-compared = Compared with
evaluation-no-other = No other
evaluation-show-all = All
evaluation-show-missed = Not right
evaluation-show-wrong = Wrong, accepted
evaluation-show-worse = Worse than before
evaluation-show-better = Better than before
evaluation-shown = { $count ->
    [one] { $count } result
   *[other] { $count } results
} of { $total }
evaluation-remove = Remove this evaluation? Its runs stay in their chat.
evaluation-leave = You can leave this page. Each result is kept as soon as it is there.
evaluation-none = No evaluation yet. Choose a question set above to see how many of its articles are found and cited.
evaluation-results = Results
evaluation-stopped = { $evaluation }, stopped at { $done } of { $count }
evaluation-search-only = search only
evaluation-changes = Below each figure: its change since { $evaluation }, on the { $count ->
    [one] { $count } question
   *[other] { $count } questions
} in both.
plot-share = Share in %
plot-bar = { $metric } { $share } %

metric-hit_1 = Expected article first
metric-hit_1-about = Of questions with expected articles.
metric-hit_5 = Among the first { $depth }
metric-hit_5-about = An expected article is among the first clauses.
metric-cited = Cited
metric-cited-about = The answer cites an expected article.
metric-standing = Quotes that are correct
metric-standing-about = Word for word in the cited clause, checked again against the library.
metric-right_accepted = Right, accepted
metric-right_accepted-about = Of questions that a rule answers.
metric-right_not_accepted = Right, not accepted
metric-right_not_accepted-about = Of questions that a rule answers: the draft is right, but a person has to decide.
metric-wrong_accepted = Wrong, accepted
metric-wrong_accepted-about = Of the accepted answers. These do the most harm.
metric-refused_rightly = Refused rightly
metric-refused_rightly-about = Of questions that no rule answers: none accepted.
metric-refused_wrongly = Refused wrongly
metric-refused_wrongly-about = Of questions that a rule answers.
metric-score = Score
metric-score-about = Mean of all scores, of 10.
metric-cost = Cost
metric-cost-about = All questions together.
metric-seconds = Time a question
metric-seconds-about = Mean.
metric-failed = Failed
metric-failed-about = Not asked or not answered.
metric-same = as before

result-open = Open the run
fact-line = line { $line }
fact-no-rule = no rule answers it
fact-at-place = at place { $rank }
fact-not-among = not among the first { $depth }
fact-expected = expected { $articles }: { $place }
fact-expected-season = expected { $articles } of { $season }: { $place }
fact-cited = cited
fact-not-cited = not cited
fact-quoted = { $words } quoted
fact-not-quoted = { $words } not quoted
fact-stand = { $standing } of { $count ->
    [one] { $count } quote
   *[other] { $count } quotes
} correct
result-right_accepted = right, accepted
result-right_not_accepted = right, not accepted
result-refused_rightly = refused rightly
result-wrong_accepted = wrong, accepted
result-missed = missed
set-not-held = { $count ->
    [one] { $count } question is
   *[other] { $count } questions are
} left out: on a season of which no rulebook is held.
