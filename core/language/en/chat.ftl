# The chat: its frame, questions, answers and decisions.

chat-input = Ask about a rule, or add a PDF to ask about
chat-stop = Stop
chat-scope = **Scope:** { $scope } · { $budget }
chat-missing = This chat was deleted or the link is incomplete. Ask to start a new one.

welcome-title = Ask the rulebook
welcome-about = Every answer quotes the rule word for word, with article, page and issue. You can check each step.
welcome-empty = The library is empty. Add a rulebook (PDF, Word) with + below or in the sidebar, then ask about it.
welcome-try = Try one of these
offline = :material/cloud_off: Offline mode: exact quotes from the rules.
offline-whole = { offline } Add an API key in Settings for written answers.

chat-new = New chat
chats = Chats
chats-find = Find a chat
chats-find-words = Words of a question or answer
chats-none = No chat has all of these words.
chats-pinned = Pinned
chats-older = There are older ones: find them by their words.
chat-earlier = Earlier questions ({ $count })
shortcuts = Shortcuts: Alt+N new chat, Alt+P / Alt+X previous / next page of a document.

sources = Sources
sources-tick = Use
sources-day = Day
preset-newest = Newest
preset-day = As of a day
preset-ticks = As ticked below
scope-count = { $count } of { $held ->
    [one] { $held } document
   *[other] { $held } documents
}
scope-adding = { $count } being added
scope-more = { $document } + { $more } more
scope-left-out = Left out:

thoroughness = Thoroughness
mode-quick = Quick
mode-standard = Standard
mode-deep = Deep
mode-quick-about = One search and one answer, not scored.
mode-standard-about = Tries again until the draft is good enough.
mode-deep-about = As Standard, with as many tool calls as it takes.
budget-line = { $mode }: up to { $count ->
    [one] { $count } iteration
   *[other] { $count } iterations
}, accepted from { $threshold }/10
budget-iterations = Maximum iterations
budget-iterations-about = Passes of the loop before you are asked. Not a limit on tool calls.
budget-threshold = Quality threshold
budget-threshold-about = A draft is accepted when the mean of its four scores reaches this.
answer-model = Answers
about-answer-model = The model that drafts answers and calls tools.
decision-model = Decides
about-decision-model = The model that classifies the question, rules on each statement and scores.

chat-menu = This chat
chat-title = Title
chat-pin = Pin
chat-unpin = Unpin
chat-delete = Delete
chat-deleted = Deleted: { $title }
chat-export = Export as { $format }
share = Share to read
share-unreachable = Scrutineer is open on this machine alone, where nobody else could follow a link to this chat. Give a file instead.
share-about = Only people who can reach this server, and have logged in where it asks for that, can open the link. They see the chat as it was when you shared it:
share-again = Share as it is now
share-stop = Stop sharing
shared-ended = This link has ended or is incomplete. Ask whoever sent it for a new one.
shared-as-it-was = A shared chat, as it was on { $time }. It cannot be changed here.

question-refused = Your question was not asked: { $question }
question-waits = Waits for the answer to the question before it
question-reads = Reading { $file }
question-reads-page = Reading { $file }: page { $page } of { $pages }
question-file-missing = The question was not answered, because its file was not added.

run-stopping = Stopping
run-working = Working
run-elsewhere = This run is going on elsewhere, or was just cut off.
run-next = Ask next
feedback-why = Why (optional, kept with the run)

answer-refers = { $count ->
    [one] { $count } rule it refers to
   *[other] { $count } rules it refers to
}
answer-refers-penalties = { $count ->
    [one] { $count } penalty it refers to
   *[other] { $count } penalties it refers to
}
answer-scope = Scope: { $documents }
answer-scope-left-out = Scope: { $documents } · { $count } left out
answer-scope-none = no document
answer-unverified = :orange-badge[:material/warning: Not verified]
answer-accepted = You accepted this draft.
answer-accepted-score = You accepted this draft ({ $score }).
answer-unchecked = :orange-badge[:material/warning: Unchecked draft]
answer-copy = Copy answer
answer-closest = Please check whether they answer.
run-choices = Ask what you mean
run-other-rulebooks = Not selected, and may answer
choice-in = { $question } ({ $document })
definition = Definition
answer-unmet = No quote mentions { $words }.
answer-partly-read = Read in part, so rules may be missing: { $documents }.
headline-limit = { $values }, limit { $limit }
shortfall = No draft scored { $threshold } or more after { $count ->
    [one] { $count } attempt
   *[other] { $count } attempts
}.
shortfall-best = No draft scored { $threshold } or more (best: { $best }) after { $count ->
    [one] { $count } attempt
   *[other] { $count } attempts
}.
shortfall-missing = Missing: { $missing }.
answer-unordered = { $count } editions of this rulebook were searched, as nothing printed tells the newest: { $documents }.
refusal-article = There is no { $article } in { $document }.
refusal-article-last = There is no { $article } in { $document }; the last is { $last }.
refusal-article-below = There is no { $article } in { $document }; the last of { $below } is { $last }.
refusal-language = I search in { $language } here. Try the rule's own words, or set a language model.
refusal-words = No rule in the selected rulebooks mentions { $words }.
refusal-none = No rule in the selected rulebooks was found to answer this.
refusal-searched = Searched: { $documents }.
refusal-nearest = Nearest clauses
refusal-place = { $clause }{ $page ->
    [0] { "" }
   *[other] { " " }· p. { $page }
} · { $document }

cite-place = { $article }, { $page ->
    [0] paragraph { $paragraph }
   *[other] page { $page }
}
cite-place-cut = { $article } (in part), { $page ->
    [0] paragraph { $paragraph }
   *[other] page { $page }
}
cite-source = { $document }, { $article }, { $page ->
    [0] para. { $paragraph }
   *[other] p. { $page }
}
and-more = { $named } and { $more } more
caution-ocr = read by text recognition
caution-differs = words beside it are not as the page shows them
caution-partly = read in part: rules may be missing
caution-overridden = overridden by { $place }
caution-overrides = in place of { $place }
caution-supplemented = { $place } adds to it or makes exceptions
caution-unsettled = { $place } says otherwise, and nothing says which prevails
caution-unclear = { $place } may change it
cite-unmarked = The words of the quote are not marked on this page.
cite-also = Also on page { $page }
cite-browse = Open in its rulebook
cite-copy = To copy: the source alone, and the quote with its source
superseded-season = :gray[{ $issue } differs]
superseded-changed = :orange-badge[Changed in { $issue }]
superseded-dropped = :orange-badge[Dropped in { $issue }]
superseded-difference = Difference

decide-found = Is your answer among these rules?
decide-limit_reached = What next?
decide-answer = Your answer
decide-guidance = What should it look for? (optional)
decide-go_on = Try again
decide-conclude = Accept this draft
decide-stop = Discard
decide-conclude-about = Takes the draft above as the answer.
decide-stop-about = Ends the run without an answer; the draft is kept.
decide-other = Change scope
decide-scope = Scope
decide-tool = Tool
decide-as-it-was = As it was
decide-next = Used for the next attempt.
decide-season = Season { $season }
rephrase = Rephrase
rephrase-words = Your question in other words
rephrase-ask = Ask
tool-regulation_search = Search
tool-regulation_summary = Summary
tool-regulation_comparison = Comparison
tool-penalty_lookup = Penalties
tool-general_rag = General search
tool-read_article = Read an article
tool-offline = offline mode
chat-news = Look for news
