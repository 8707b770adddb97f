# The library: uploads, the queue, documents and what their reading left over.

library-folder = Add a whole folder
library-limits = You can keep working while files are added. PDF files of up to { $megabytes } MB, { $files } per hour.
library-add-above = The library is empty. Add a rulebook (PDF, Word) above; reading one takes a few seconds.
library-read = Read
library-read-about = The articles of { $document }
library-vectors = Search by meaning is being prepared ({ $count ->
    [one] { $count } clause
   *[other] { $count } clauses
} left).
upload = Add rulebooks (PDF, Word)
upload-folder = Add a folder of rulebooks (PDF, Word)
samples-reading = Reading the sample rulebooks, { $number } of { $count } ({ $file })
samples-held = The library holds sample rulebooks of an invented series.
samples-remove = Remove the samples
samples-add = Add the sample rulebooks

queue-clear = Clear this list
queue-adding = Adding { $count ->
    [one] { $count } file
   *[other] { $count } files
}
queue-added = { $count ->
    [one] { $count } file
   *[other] { $count } files
} added
queue-unchanged = { $count } already there
queue-failed = { $count ->
    [one] { $count } file
   *[other] { $count } files
} not added
queue-reading = reading
queue-reading-page = reading page { $page } of { $pages }
queue-keeping = saving its rules
queue-scans = ready, but for pages that are images: reading page { $page } of { $pages }
queue-vectors = ready for search by words; preparing search by meaning, { $done } of { $count ->
    [one] { $count } clause
   *[other] { $count } clauses
}
queue-elapsed = { $time } so far
queue-waiting = waiting
queue-waiting-behind = waiting, { $count ->
    [one] { $count } file
   *[other] { $count } files
} before it
queue-cancel = Cancel
queue-cancelling = Cancelling
queue-retry = Retry
queue-dismiss = Dismiss
queue-unlock = Unlock
queue-password = Password for this file
queue-password-about = Not kept. The library keeps a copy without it.
queue-say-family = Say its family
queue-say-season = Say its season
queue-say-family-season = Say its family and season
queue-say-about = A newer issue replaces an older one only within a family.
result-added = :green[:material/check:] Added { $label }: { $size }, { $time }.
result-same = :material/check: Nothing to add: { $name } is in the library already as { $label }.
result-copy = :material/check: Nothing to add: { $name } is the same file as { $file }, in the library already as { $label }.
result-locked = :orange[:material/lock:] Not added: { $name } needs a password.
result-removed = :material/check: { $name } was added and has been removed since.
result-cancelled = :gray[:material/block:] { $name } was cancelled and not added.
result-failed = :red[:material/error:] Not added: { $said }
edition-same = { $file } has the same season and issue: check which of them to keep.
edition-later = { $label } is newer and stays the default.
edition-earlier = It is newer than { $label }, which stays in the library.

document-invented = invented
document-word = Word file
document-partly = read in part
document-warnings = { $count ->
    [one] { $count } warning
   *[other] { $count } warnings
}
document-unknown = not known: { $names }
document-default = :green-badge[In default scope]
document-not-known = :orange[not known]
document-newer-label = { $label } :gray[(the default)]
document-reading = **Reading**
document-fine = No problems found.
document-warning-page = Page { $page }: { $message }
document-details = **Details** :small[correct them here; leave empty if unknown]
document-save = Save
layers-title = **Layers** :small[how it stands to other documents; what overrides a rule is told before it]
layers-proposed = Its text says so. Accept it if it is right:
layers-accept = Accept
layers-remove = Remove what was said of { $document }
layers-add = Say how it stands to another document
layers-kind = This document
layers-other = the other document
layers-prevails = In a contradiction
layers-from = From this day on
layers-save = Save
layers-on-this = { $document }: { $relation }
relation-kind-supplements = supplements
relation-kind-amends = amends
relation-kind-replaces = replaces from a day on
relation-kind-interprets = interprets
relation-supplements = supplements { $document }
relation-amends = amends { $document }
relation-replaces = replaces { $document }
relation-interprets = interprets { $document }
relation-prevails-this = this document prevails
relation-prevails-other = the other one prevails
relation-prevails-none = nothing says which prevails
relation-from = from { $day } on
relation-by = said by { $who } on { $day }
relation-at = said on { $day }
relation-gone = a document that is no longer in the library
relation-valid = in force from { $from } to { $to }
relation-open = open
document-remove = Remove **{ $label }** from the library? Earlier answers keep their quotes.

report-deleted_spans = { $count ->
    [one] { $count } passage
   *[other] { $count } passages
} struck out: kept out of the rules, shown as deleted
report-deleted_clauses = { $count ->
    [one] { $count } whole clause
   *[other] { $count } whole clauses
} struck out: kept out of the rules
report-inserted_spans = { $count ->
    [one] { $count } passage
   *[other] { $count } passages
} marked as new: in force
report-future_clauses = { $count ->
    [one] { $count } clause
   *[other] { $count } clauses
} for a later season: kept out of this season's rules
report-hidden_spans = { $count ->
    [one] { $count } passage
   *[other] { $count } passages
} that cannot be seen on the page: kept out of the rules
report-notes = { $count ->
    [one] { $count } note
   *[other] { $count } notes
}: not binding, according to the document
report-tables = { $count ->
    [one] { $count } table
   *[other] { $count } tables
}: read row by row
report-figures = { $count ->
    [one] { $count } figure or equation
   *[other] { $count } figures and equations
}: shown as a picture, not read
report-repairs = { $count ->
    [one] { $count } word
   *[other] { $count } words
} with broken letters: repaired
report-unresolved_references = { $count ->
    [one] { $count } reference to an article that is not here
   *[other] { $count } references to articles that are not here
}: see below
report-numbering_gaps = { $count ->
    [one] { $count } gap
   *[other] { $count } gaps
} in the numbering: see below
report-duplicates = { $count ->
    [one] { $count } article number
   *[other] { $count } article numbers
} used twice: told apart by their order
report-pages_without_text = { $count ->
    [one] { $count } page
   *[other] { $count } pages
} without text: not read
report-pages_recognised = { $count ->
    [one] { $count } scanned page
   *[other] { $count } scanned pages
}: read by text recognition
letters = { $count ->
    [one] { $count } letter
   *[other] { $count } letters
}
report-letters_contents = Set aside as contents: { letters }
report-letters_comment = Set aside as comments: { letters }
report-letters_text_box = Set aside as text boxes: { letters }
report-letters_changelog = Set aside as a record of changes: { letters }
report-letters_furniture = Set aside as headers and footers: { letters }
report-letters_legend = Set aside as a legend: { letters }
report-letters_lettering = Set aside as lettering of figures: { letters }
report-letters_turned = Set aside as turned text: { letters }
report-letters_footnote = Set aside as footnotes: { letters }
report-letters_index = Set aside as an index: { letters }
report-letters_cover = Set aside as a cover: { letters }
report-signatures = { $count ->
    [one] { $count } signature
   *[other] { $count } signatures
}: who signed is not checked
report-scripts = { $count ->
    [one] { $count } script or program
   *[other] { $count } scripts or programs
} that the file would start: never run
report-layers = { $count ->
    [one] { $count } layer
   *[other] { $count } layers
} that can be shown or not: read as the file shows them
report-attachments = { $count ->
    [one] { $count } attached file
   *[other] { $count } attached files
}: not read
report-form_fields = { $count ->
    [one] { $count } field
   *[other] { $count } fields
} to fill in: read as it is filled in

left-lines = { $count ->
    [one] { $count } line
   *[other] { $count } lines
}: below no number, apart from the cover
left-numbers = { $count ->
    [one] { $count } number looks like a heading and begins no clause
   *[other] { $count } numbers look like headings and begin no clause
}
left-long = { $article }{ $page ->
    [0] { "" }
   *[other] { " " }on page { $page }
} has { $letters ->
    [one] { $letters } letter
   *[other] { $letters } letters
}: rules may be lost in it
lines-open = Look at its pages
lines-read-whole = { $size }, read whole
lines-read-partly = { $size }, read in part
lines-pages = Pages with lines left over
lines-page = Page { $page }: { $count ->
    [one] { $count } line
   *[other] { $count } lines
}
lines-any-page = Any page
lines-of-page = **A line{ $page ->
    [0] { "" }
   *[other] { " " }of page { $page }
}** :small[all lines like it follow]
lines-marked = Lines that are marked on the page
lines-choose = Choose one, or give its first words
lines-other = Or the first words of another line
lines-kind = It is
lines-kind-heading = A heading
lines-kind-furniture = Header, footer or stamp
lines-level = Level
lines-apply = Read again with this
lines-said-heading = Page { $page }, “{ $words }”: heading of level { $level }
lines-said-furniture = Page { $page }, “{ $words }”: header, footer or stamp
lines-reading = Reading the document again
