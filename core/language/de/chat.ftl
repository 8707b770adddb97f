# Der Chat: sein Rahmen, Fragen, Antworten und Entscheidungen.

chat-input = Fragen Sie nach einer Regel, oder fügen Sie ein PDF hinzu
chat-stop = Anhalten
chat-scope = **Suchbereich:** { $scope } · { $budget }
chat-missing = Dieser Chat wurde gelöscht oder der Link ist unvollständig. Stellen Sie eine Frage, um einen neuen zu beginnen.

welcome-title = Fragen Sie das Regelwerk
welcome-about = Jede Antwort zitiert die Regel wörtlich, mit Artikel, Seite und Ausgabe. Jeden Schritt können Sie nachprüfen.
welcome-empty = Die Bibliothek ist leer. Fügen Sie mit + unten oder in der Seitenleiste ein Regelwerk (PDF, Word) hinzu, und stellen Sie dann Ihre Frage.
welcome-try = Zum Ausprobieren
offline = :material/cloud_off: Offline-Modus: wörtliche Zitate aus den Regeln.
offline-whole = { offline } Für ausformulierte Antworten tragen Sie in den Einstellungen einen API-Schlüssel ein.

chat-new = Neuer Chat
chats = Chats
chats-find = Chat suchen
chats-find-words = Wörter einer Frage oder Antwort
chats-none = Kein Chat enthält alle diese Wörter.
chats-pinned = Angeheftet
chats-older = Ältere finden Sie über ihre Wörter.
chat-earlier = Frühere Fragen ({ $count })
shortcuts = Tasten: Alt+N neuer Chat, Alt+P / Alt+X vorige / nächste Seite eines Dokuments.

sources = Quellen
sources-tick = Verwenden
sources-day = Tag
preset-newest = Neueste
preset-day = Stand eines Tages
preset-ticks = Wie unten angekreuzt
scope-count = { $count } von { $held ->
    [one] { $held } Dokument
   *[other] { $held } Dokumenten
}
scope-adding = { $count } in Arbeit
scope-more = { $document } + { $more } weitere
scope-left-out = Nicht durchsucht:

thoroughness = Gründlichkeit
mode-quick = Schnell
mode-standard = Standard
mode-deep = Gründlich
mode-quick-about = Eine Suche und eine Antwort, ohne Bewertung.
mode-standard-about = Versucht es erneut, bis der Entwurf gut genug ist.
mode-deep-about = Wie Standard, mit so vielen Werkzeugaufrufen wie nötig.
budget-line = { $mode }: bis zu { $count ->
    [one] { $count } Durchgang
   *[other] { $count } Durchgänge
}, angenommen ab { $threshold }/10
budget-iterations = Höchstzahl der Durchgänge
budget-iterations-about = Durchgänge, bevor Sie gefragt werden. Werkzeugaufrufe sind damit nicht begrenzt.
budget-threshold = Qualitätsschwelle
budget-threshold-about = Ein Entwurf wird angenommen, wenn der Mittelwert seiner vier Bewertungen diesen Wert erreicht.
answer-model = Antwortet
about-answer-model = Das Modell, das Antworten entwirft und Werkzeuge aufruft.
decision-model = Entscheidet
about-decision-model = Das Modell, das die Frage einordnet, über jede Aussage urteilt und bewertet.

chat-menu = Dieser Chat
chat-title = Titel
chat-pin = Anheften
chat-unpin = Lösen
chat-delete = Löschen
chat-deleted = Gelöscht: { $title }
chat-export = Als { $format } exportieren
share = Zum Lesen freigeben
share-unreachable = Scrutineer ist nur auf diesem Rechner geöffnet, niemand sonst könnte einem Link zu diesem Chat folgen. Geben Sie eine Datei weiter.
share-about = Den Link kann nur öffnen, wer diesen Server erreicht und sich, wo er das verlangt, angemeldet hat. Zu sehen ist der Chat in der Fassung, in der Sie ihn freigegeben haben:
share-again = Jetzigen Stand freigeben
share-stop = Freigabe beenden
shared-ended = Dieser Link gilt nicht mehr oder ist unvollständig. Bitten Sie den Absender um einen neuen.
shared-as-it-was = Ein freigegebener Chat, Stand { $time }. Er kann hier nicht geändert werden.

question-refused = Ihre Frage wurde nicht gestellt: { $question }
question-waits = Wartet auf die Antwort auf die vorige Frage
question-reads = { $file } wird gelesen
question-reads-page = { $file } wird gelesen: Seite { $page } von { $pages }
question-file-missing = Die Frage wurde nicht beantwortet, weil ihre Datei nicht hinzugefügt wurde.

run-stopping = Wird angehalten
run-working = In Arbeit
run-elsewhere = Dieser Lauf wird anderswo fortgesetzt oder wurde gerade unterbrochen.
run-next = Nächste Frage
feedback-why = Warum (freiwillig, wird mit dem Lauf gespeichert)

answer-refers = { $count ->
    [one] { $count } Regel, auf die verwiesen wird
   *[other] { $count } Regeln, auf die verwiesen wird
}
answer-refers-penalties = { $count ->
    [one] { $count } Strafe, auf die verwiesen wird
   *[other] { $count } Strafen, auf die verwiesen wird
}
answer-scope = Suchbereich: { $documents }
answer-scope-left-out = Suchbereich: { $documents } · { $count } ausgelassen
answer-scope-none = kein Dokument
answer-unverified = :orange-badge[:material/warning: Nicht bestätigt]
answer-accepted = Sie haben diesen Entwurf angenommen.
answer-accepted-score = Sie haben diesen Entwurf angenommen ({ $score }).
answer-unchecked = :orange-badge[:material/warning: Ungeprüfter Entwurf]
answer-copy = Antwort kopieren
answer-closest = Bitte prüfen Sie, ob sie antworten.
run-choices = Fragen, was gemeint ist
run-other-rulebooks = Nicht ausgewählt, kann aber antworten
choice-in = { $question } ({ $document })
definition = Definition
answer-unmet = Kein Zitat erwähnt { $words }.
answer-partly-read = Nur zum Teil gelesen, es können Regeln fehlen: { $documents }.
headline-limit = { $values }, Grenzwert { $limit }
shortfall = Kein Entwurf erreichte { $threshold } Punkte nach { $count ->
    [one] { $count } Versuch
   *[other] { $count } Versuchen
}.
shortfall-best = Kein Entwurf erreichte { $threshold } Punkte (bester: { $best }) nach { $count ->
    [one] { $count } Versuch
   *[other] { $count } Versuchen
}.
shortfall-missing = Es fehlt: { $missing }.
answer-unordered = { $count } Ausgaben dieses Regelwerks wurden durchsucht, da nichts Gedrucktes die neueste nennt: { $documents }.
refusal-article = { $document } hat keinen { $article }.
refusal-article-last = { $document } hat keinen { $article }; der letzte ist { $last }.
refusal-article-below = { $document } hat keinen { $article }; der letzte von { $below } ist { $last }.
refusal-language = Hier wird auf { $language } gesucht. Verwenden Sie die Wörter der Regel, oder richten Sie ein Sprachmodell ein.
refusal-words = In den gewählten Regelwerken nennt keine Regel { $words }.
refusal-none = In den gewählten Regelwerken wurde keine Regel gefunden, die das beantwortet.
refusal-searched = Durchsucht: { $documents }.
refusal-nearest = Nächstliegende Bestimmungen
refusal-place = { $clause }{ $page ->
    [0] { "" }
   *[other] { " " }· S. { $page }
} · { $document }

cite-place = { $article }, { $page ->
    [0] Absatz { $paragraph }
   *[other] Seite { $page }
}
cite-place-cut = { $article } (auszugsweise), { $page ->
    [0] Absatz { $paragraph }
   *[other] Seite { $page }
}
cite-source = { $document }, { $article }, { $page ->
    [0] Abs. { $paragraph }
   *[other] S. { $page }
}
and-more = { $named } und { $more } weitere
caution-ocr = durch Texterkennung gelesen
caution-differs = Wörter daneben sind nicht, wie die Seite sie zeigt
caution-partly = nur zum Teil gelesen: es können Regeln fehlen
caution-overridden = außer Kraft gesetzt durch { $place }
caution-overrides = anstelle von { $place }
caution-supplemented = { $place } ergänzt sie oder nimmt Fälle aus
caution-unsettled = { $place } sagt etwas anderes, und nichts sagt, was vorgeht
caution-unclear = { $place } ändert sie möglicherweise
cite-unmarked = Die Wörter des Zitats sind auf dieser Seite nicht markiert.
cite-also = Auch auf Seite { $page }
cite-browse = Im Regelwerk öffnen
cite-copy = Zum Kopieren: die Fundstelle allein, und das Zitat mit Fundstelle
superseded-season = :gray[{ $issue } weicht ab]
superseded-changed = :orange-badge[Geändert in { $issue }]
superseded-dropped = :orange-badge[Entfallen in { $issue }]
superseded-difference = Unterschied

decide-found = Ist Ihre Antwort unter diesen Regeln?
decide-limit_reached = Wie weiter?
decide-answer = Ihre Antwort
decide-guidance = Worauf soll geachtet werden? (freiwillig)
decide-go_on = Erneut versuchen
decide-conclude = Entwurf annehmen
decide-stop = Verwerfen
decide-conclude-about = Übernimmt den Entwurf oben als Antwort.
decide-stop-about = Beendet den Lauf ohne Antwort; der Entwurf bleibt erhalten.
decide-other = Suchbereich ändern
decide-scope = Suchbereich
decide-tool = Werkzeug
decide-as-it-was = Wie bisher
decide-next = Gilt für den nächsten Versuch.
decide-season = Saison { $season }
rephrase = Umformulieren
rephrase-words = Ihre Frage in anderen Worten
rephrase-ask = Fragen
tool-regulation_search = Suche
tool-regulation_summary = Zusammenfassung
tool-regulation_comparison = Vergleich
tool-penalty_lookup = Strafen
tool-general_rag = Allgemeine Suche
tool-read_article = Artikel lesen
tool-offline = Offline-Modus
chat-news = Nach Neuem sehen
