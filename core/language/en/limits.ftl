# Limits, Check a sheet, Check quotes.

view-limits = Limits
view-obligations = Obligations
view-unread = Other numbers
limits-relation = Relation
limits-unit = Unit
limits-a-count = a count
limits-duty = Duty
limits-words = Words
limits-in-force = Only in force
limits-figures = Figures may hold numbers that were not read. They are on { $count ->
    [one] page
   *[other] pages
} { $pages }.
limits-shown-limits = { $count ->
    [one] { $count } limit
   *[other] { $count } limits
} of { $total }
limits-shown-obligations = { $count ->
    [one] { $count } obligation
   *[other] { $count } obligations
} of { $total }
limits-shown-unread = { $count ->
    [one] { $count } row
   *[other] { $count } rows
} of { $total }
relation-at-least = at least
relation-at-most = at most
relation-more-than = more than
relation-less-than = less than
relation-between = between
relation-equal = equal
relation-unclear = unclear
limit-not-proved = { $limit } (not proved)
duty-must = must
duty-must-not = must not
duty-may = may
duty-should = should
limits-reading = Reading the limits
obligations-reading = Reading the obligations
table-first-rows = These are the first { $count } rows. Filter them, or download all.

limits-summary = { $unproved ->
    [0] All are proved.
   *[other] { $unproved } are not proved.
} Other numbers: { $others }.
obligations-summary = { $count ->
    [one] { $count } sentence obliges
   *[other] { $count } sentences oblige
} nobody: they say what will or can be, or name a duty in passing.
picture-other = other
picture-about = Click a part of a bar, or choose bars by name, to see them alone
picture-bar = Chapter
picture-kind = Kind
picture-count = Count

noted-file = Filled checklist
noted-about = Owner, subteam, status and evidence are kept, for the next issue of the rules too.
noted-upload = Checklist (CSV or XLSX)
noted-count = { $count ->
    [one] Notes kept for { $count } obligation.
   *[other] Notes kept for { $count } obligations.
}
noted-unknown = { $count ->
    [one] { $count } row matches no obligation.
   *[other] { $count } rows match no obligation.
}
noted-before = These notes are on an earlier wording: { $words }
open-unowned = Rules that nobody owns
open-unanswered-in = Limits that no row answers: { $document }
open-earlier = Before: { $counts }.
noted-unowned = nobody
noted-change = { $time } · { $who }: “{ $before }” → “{ $after }”
noted-evidence = Evidence

sheet-format =
    One value a row: `id`, `parameter` (in your own words), `value`, `unit`, `note`. Say in the note
    what a rule distinguishes: front or rear, wet or dry, the voltage of the pack. *Legal* is said only
    where a row's words, condition and unit point to one rule.
sheet-rulebooks = Rulebooks
sheet-rulebooks-about = At first the one whose rules fit the values of the sheet.
sheet-help = How to write a sheet
sheet-file = Sheet of values (CSV or XLSX)
sheet-template = A template to fill in:
sheet-saved = Saved sheets
sheet-remove = Remove this sheet? The rules that you picked stay.
sheet-values = Values: correct, add or remove rows
sheet-values-table = Values of the sheet
sheet-name = Name
sheet-save = Save with the library
sheet-was-saved = Saved.
sheet-upload = Upload a sheet or open a saved one.
sheet-no-rulebook = Choose a rulebook.
sheet-checking = Checking { $count ->
    [one] { $count } row
   *[other] { $count } rows
}
sheet-verdicts = Verdicts
sheet-shown = { $count ->
    [one] { $count } verdict
   *[other] { $count } verdicts
} of { $total }
sheet-choose-row = Choose a row to see its rule, open its clause, or pick the rule that is meant.
sheet-none-decided = No row has a verdict. Is this sheet for another rulebook? Choose it above.
sheet-decides = To decide: { $missing }.
sheet-pick = Rule that is meant by this parameter, in this sheet and all later ones
sheet-by-words = Found by its words
sheet-uncovered = Rules that no row answers
sheet-uncovered-count = { $count ->
    [one] { $count } limit
   *[other] { $count } limits
} in force of { $total }.
sheet-verdict-legal = ✓ legal
sheet-verdict-not-legal = ✗ not legal
sheet-verdict-cannot-tell = ? cannot tell
sheet-verdict-no-rule = – none found

quotes-about =
    A protest, a design report, the answer of another assistant: every quote and every article that it
    cites is found in the rulebooks and judged. The edition that a sentence names is the one it is held
    against, else the newest.
quotes-text = Text
quotes-file = Or a file (Markdown, text, Word, PDF)
quotes-check = Check
quotes-checking = Checking every quote
quotes-reading = Reading the rules
quotes-too-long = { $file } has more than { $count } characters: check it in parts.
quotes-findings = Findings
quotes-with-marks = Text with marks
quotes-choose-row = Choose a row to see its rule and open it on its page.
quotes-marked = The text with marks
finding-stands = ✓ correct
finding-overridden = ✗ overridden by another layer
finding-unsettled = ? another layer may change it
finding-altered = ✗ altered
finding-other_article = ✗ of another article
finding-other_edition = ✗ of another edition
finding-deleted = ✗ not in force
finding-ruling = ! in a ruling, no rule
finding-not_held = ? not in the library
finding-no_source = ✗ not found
