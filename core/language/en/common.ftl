# Words that several pages share: counts, outcomes, places, buttons.

clauses = { $count ->
    [one] { $count } clause
   *[other] { $count } clauses
}
pages = { $count ->
    [one] { $count } page
   *[other] { $count } pages
}
documents = { $count ->
    [one] { $count } document
   *[other] { $count } documents
}
iterations = { $count ->
    [one] { $count } iteration
   *[other] { $count } iterations
}
tool-rounds = { $count ->
    [one] { $count } tool round
   *[other] { $count } tool rounds
}
model-calls = { $count ->
    [one] { $count } model call
   *[other] { $count } model calls
}
clauses-on-pages = { $count ->
    [one] { $count } clause on { $pages }
   *[other] { $count } clauses on { $pages }
}

quoted = “{ $words }”

today = Today
yesterday = Yesterday

outcome-answered = Answered
outcome-found = Closest rules
outcome-not_found = Not found
outcome-limit_reached = Limit reached
outcome-declined = Declined
outcome-clarification_needed = Needs clarification
outcome-cancelled = Stopped
outcome-failed = Failed

verdict-legal = legal
verdict-not-legal = not legal
verdict-cannot-tell = cannot tell

status-inserted = New in this issue
status-deleted = Struck out, not in force
status-future = For a later season, not in force yet
status-note = Note, not binding
status-hidden = Hidden text
status-differs = Page and text differ

article = Article
score = Score
cost = Cost
check-no-limit = no { $kind } limit in the quoted clauses

all = All
show = Show
open = Open
close = Close
undo = Undo
remove = Remove
remove-yes = Yes, remove it
continue = Continue
read-again = Reading the documents again. Each takes some seconds ...

library-empty = The library is empty. Add a rulebook (PDF, Word) on the page Rulebooks.
issue-number = Issue { $issue }
no-picture = There is no picture of the page: the document is not a PDF or was removed.
page-of = Page { $page } of { $pages }
page-of-document = Page { $page } of { $document }
page-previous = Previous
page-next = Next
zoom = Zoom
zoom-quote = Quote
figure-figure = Figure
figure-equation = Equation
figure-name = { $kind } of { $article } on page { $page }
figure-caption = { $caption } :gray[(page { $page })]
open-article = Open { $article }{ $page ->
    [0] { "" }
   *[other] , page { $page }
}

error-damaged = The library is damaged and cannot be read.
error-version = The library was made by another version of Scrutineer.
error-read-again = Read its documents again
error-read = All documents were checked.
view-differences = Differences
view-touched = What that touches
view-runs = Runs
view-evaluation = Sets of questions
view-sheet = Check a sheet
