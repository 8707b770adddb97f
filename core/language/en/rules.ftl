# Reading rules: Search, Browse, Compare, Changes.

search-words = Words or article number in all rulebooks
search-rulebooks = Rulebooks
search-seasons = Seasons
search-issues = Earlier issues too
search-issues-about = Otherwise the newest issue of each rulebook and chosen season.
search-also = Also find
search-none = No rule has this number or these words. Use fewer words, or relax the filters.
search-found = **{ $clauses }** in { $documents }, the best first
search-found-or-more = **{ $clauses } or more** in { $documents }, the best first
search-place = { $document }{ $page ->
    [0] { "" }
   *[other] , page { $page }
}

browse-missing = The document of this address is not in the library.
browse-no-article = The document has no such article: the link is incomplete.
browse-words = Words or article number in { $document }
browse-back = All rulebooks
browse-also = Also show
browse-choose = Choose an article.
browse-all = All articles
browse-above = { $count ->
    [one] { $count } article above
   *[other] { $count } articles above
}
browse-below = { $count ->
    [one] { $count } more article: search for more words.
   *[other] { $count } more articles: search for more words.
}
browse-none = No article has this number or these words.
browse-ask = Ask about this
checklist = Checklist (CSV)
checklist-listed = Checklist: { $count ->
    [one] { $count } clause
   *[other] { $count } clauses
} in this list
checklist-listed-about = The articles in force found below.
checklist-term = Checklist: { $count ->
    [one] { $count } clause
   *[other] { $count } clauses
} with this term
checklist-term-about = The articles in force that say these words together, all below them, and all that both refer to.

address-short = The address of a rule is /rule/FAMILY/SEASON/ISSUE/ARTICLE, or without ISSUE for the newest one.
address-nothing = nothing
address-lacks-family = The library holds no rulebook of the family { $family }. It holds: { $held }.
address-lacks-season = Of { $family } the library does not hold the season { $season }. It holds: { $held }.
address-lacks-issue = Of { $family } { $season } the library does not hold issue { $issue }. It holds: { $held }.
address-lacks-article = There is no rule { $article } in { $held }.
address-choose = { $count ->
    [one] Did you mean this rule?
   *[other] Which of these { $count } rules do you mean?
}
address-copy = To copy: the address of this rule

feed-rule = { $rule } in { $document }
feed-changes = What new issues change
feed-issue = { $document }: { $changed } changed, { $dropped } dropped
feed-since = Compared with { $document }:
feed-first = The first edition of its rulebook here.
feed-more = And { $count } more.
feed-token = This feed needs a token in its address, ?token=...: make one on the page Settings, or with `{ $command } token NAME --feeds`.
feed-broken = The server cannot send feeds at the moment. Its log says why.
feed-choose = This address means several rules: open it in a browser, without /feed, and choose one.

clause-limits = **Limits**
clause-history = **Through the editions**
clause-history-finding = Following this clause through the editions
clause-ocr = :orange-badge[Read by text recognition: compare it with the page]
clause-heading = A heading: its words are in the articles below it.
clause-refers = **Refers to**
clause-referred = **Referred to from**
clause-finding = Finding the clauses that refer to this one
reference-missing = { $reference } (not in its document)
reference-not_held = { $reference } (its document is not in your library)

compare-one = Comparing takes two documents, and the library holds one document. Add rulebooks (PDF, Word) on the page Rulebooks.
compare-none = Comparing takes two documents, and the library is empty. Add rulebooks (PDF, Word) on the page Rulebooks.
compare-choose = No rulebook here has two issues to start with. Choose any two documents to compare.
compare-pick = Choose a document
compare-same = This is the same document twice. Choose another one to compare it with.
compare-before = Before
compare-after = After
compare-swap = Swap
compare-swap-about = Compare the other way round.
compare-comparing = Comparing { $before } clauses with { $after }
compare-picture = Changes by chapter
compare-shown = { $shown } of { $count ->
    [one] { $count } clause
   *[other] { $count } clauses
}
compare-whole = Whole wording
compare-whole-about = Also the long parts that did not change.
compare-no-match = No clauses match. Relax the filters.
compare-publisher = Publisher's marks
compare-declared = Publisher's word
compare-article = Article
compare-words = Words
compare-place = Place
compare-wording = Wording
compare-counts = **{ $name }:** { $counts }.
compare-unchanged = :gray[{ $share } unchanged]
compare-said = The publisher says: “{ $words }”
compare-figure = a figure on page { $page }
compare-redrawn = Drawn differently: { $figure }.
compare-came-below = Came below it: { $articles }.
compare-left-below = Left it: { $articles }.
compare-marks-since = The later document marks what changed after Issue { $issue } of { $season }. What had changed before stands in it without a mark.
compare-two-rulebooks = These are two different rulebooks, not two issues of one: what is alike in both is paired, and most of it differs.
compare-heading = :gray[A heading without text]
compare-open = { $article } in { $document }
compare-not-in = Not in { $document }.
place-same = Same place
place-renumbered = Renumbered
place-moved = Moved
place-added = Added
place-removed = Removed
place-count-same = { $count } same
place-count-renumbered = { $count } renumbered
place-count-moved = { $count } moved
place-count-added = { $count } added
place-count-removed = { $count } removed
wording-same = Same words
wording-changed = Changed words
wording-count-same = { $count } same
wording-count-changed = { $count } changed
change-unchanged = unchanged
change-changed = changed
change-added = added
change-removed = removed
change-renumbered = renumbered
change-renumbered-changed = renumbered, changed
change-moved = moved
change-moved-changed = moved, changed
mark-marked = Marked as a change by the publisher
mark-partly = Only partly marked by the publisher
mark-unmarked = Not marked by the publisher
declaration-found = Declared by the publisher
declaration-undeclared = Not declared by the publisher
declaration-not_found = Declared, but no change found
redline-offer = Every rule of both documents, with deleted and inserted words as tracked changes (Word) or struck and underlined (PDF), whatever the filters show. A long rulebook takes some seconds after the click.
redline-title = Redline: { $after } against { $before }
redline-about = All rules in force of both documents. Accept all changes: the rules of { $after }. Reject all changes: those of { $before }. Texts that are no rules are left out. Changes in spaces, capitals and typography alone are tracked as “Scrutineer (spelling)”.
redline-silent = { $after } has neither marks nor a record of its changes: which of them were declared is not known.
redline-moved-to = Moved from here to { $article }.
redline-moved-from = Moved here from { $article }.
redline-moved-changed = Changed on the way: { $changes }
fold-unchanged = … { $count } unchanged words …
fold-more = … { $count } more words …
fold-rest = :gray[… { $count } more words]

changes-one-issue = No issue before the later document is held. Add it on the page Rulebooks: this page then says which answers the later one touches.
changes-comparing = Comparing with the issue before
changes-before = Compared with { $document }.
changes-clauses = { $count ->
    [one] { $count } changed clause
   *[other] { $count } changed clauses
}
changes-digest = Digest (Markdown)
changes-answers = Answers and checks
changes-no-answers = No answer and no check cites a rule that changed.
changes-suspects = { $count ->
    [one] { $count } answer
   *[other] { $count } answers
} to look at.
changes-other-seasons = :gray[{ $count ->
    [one] { $count } answer cites
   *[other] { $count } answers cite
} another season, which this issue does not replace.]
changes-all-cleared = All answers that cite a changed rule have been looked at.
changes-sheets = Sheets
changes-rules = Rules that refer to changed rules
changes-no-rules = None.
changes-refers = { $clause }: refers to { $articles }
answer-suspect = :orange-badge[Rule changed since]
answer-cleared = :green-badge[Cleared]
answer-kind-answer = Answer of { $time }
answer-kind-check = Check of values of { $time }
answer-citation = { $article }, { $document } → { $now }
answer-gone = no longer there
touched-open = Open the answer
answer-clear = I have looked at it
answer-cleared-by = Cleared by { $name }, { $time }
answer-cleared-at = Cleared, { $time }
touched-rows = Rows of { $sheet }

# Rulings: how rules are meant, and no law.
ruling = :orange-badge[Ruling, not law]
ruling-changed = :red-badge[The rule has changed since]
ruling-changed-since = The rule has changed since: this ruling is on { $edition }.
ruling-unknown-edition = Whether the rule has changed since is not known: the ruling's articles were looked up in { $edition }.
rulings-upload = These files hold
rulings-none = rules
rulings-held = Rulings
rulings-on = on { $documents }
rulings-page = page { $page }
rulings-are-rules = It holds rules
column-ruling = Ruling
column-day = Day
column-tied = Tied to
column-unresolved = Unresolved
