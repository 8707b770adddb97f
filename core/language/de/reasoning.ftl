# Der Gedankengang eines Laufs: die Zeile über einer Antwort, Abschnitte, Prüfungen, Aufrufe.

run-open = Läuft noch
run-cached = { $share } davon aus dem Zwischenspeicher
run-articles = { $count } Artikel gelesen
run-quotes = { $count ->
    [one] { $count } Zitat
   *[other] { $count } Zitate
} bestätigt
run-computed = { $count } berechnet
run-failed-checks = { $count ->
    [one] { $count } Prüfung
   *[other] { $count } Prüfungen
} nicht bestanden
run-doubts = { $count } Zweifel
run-not-held = { $count ->
    [one] { $count } genanntes Dokument
   *[other] { $count } genannte Dokumente
} nicht in Ihrer Bibliothek
run-score = { $iterations }, { $score }
tool-calls = { $count ->
    [one] { $count } Werkzeugaufruf
   *[other] { $count } Werkzeugaufrufe
}

panel-question = Frage
panel-resumed = Fortgesetzt mit
panel-conclude = Von einer Person abgeschlossen
panel-stop = Von einer Person beendet
intent-SEARCH = sucht eine Regel
intent-SUMMARY = fasst ein Thema zusammen
intent-COMPARISON = vergleicht Dokumente
intent-PENALTY = sucht eine Strafe
intent-GENERAL = eine allgemeine Frage
intent-OUT_OF_SCOPE = nicht über die Regeln
panel-iteration = Durchgang { $number }

decision-accept = angenommen
decision-REFINE_QUERY = Suche verfeinert
decision-SWITCH_TOOL = Werkzeug gewechselt
decision-found = nächstliegende Regeln gezeigt
decision-limit = Grenze erreicht
decision-next_step = nächster Schritt
decision-CONCLUDE = abgeschlossen
decision-CLARIFY = Rückfrage nötig

why-exact = Artikelnummer
why-words = Wörter
why-vector = Bedeutung
why-reference = Verweis
why-definition = definiert einen Begriff
why-topic = gleiches Thema

trace-cost = **Kosten** { $cost } für { $calls }
trace-cached = **Zwischenspeicher** { $read } von { $sent } Token kamen aus ihm
trace-guidance = **Hinweis** { $guidance }
trace-budget = **Grenzen** { $budget }
trace-model = **Modell** { $models }
trace-model-offline = **Modell** { $models }: nichts verlässt diesen Rechner
trace-intent = **Art der Frage** { $intent }: { $reason }
trace-intent-now = **Art der Frage** nun { $intent }
trace-understood = **Verstandene Frage** { $question }
trace-plan = **Plan**{ $step } { $tool }: { $reason }
trace-plan-step = , Schritt { $step } von { $steps }
trace-query = **Suche** { $query }
trace-scope = **Suchbereich** { $documents } ({ $why })
trace-scope-left-out = { $scope }. Nicht durchsucht: { $left }
trace-coverage = { $returned } von { $relevant } einschlägigen Bestimmungen werden gezeigt.
trace-thinking = **Überlegung**
trace-draft = **Entwurf**
trace-scores = **Bewertungen** Mittelwert { $mean } von 10, von { $by }
trace-missing = **Es fehlt** { $missing }
trace-retried = :material/refresh: { $tool }, Versuch { $attempt }: { $error }
trace-decision = **Entscheidung** { $name }: { $reason }
trace-planned = **Zuerst** { $call }
trace-tool-round = **Werkzeugrunde { $number }** { $call }
trace-failed = :red[fehlgeschlagen] { $error }
trace-reused = aus dem Zwischenspeicher
trace-statements = **Aussagen** { $supported } von { $count } durch ihre Artikel belegt
trace-overruled = „{ $statement }“ ist belegt, obwohl daran gezweifelt wurde: { $doubts }
trace-uncounted = „{ $statement }“ wurde „{ $ruling }“ genannt, was nicht zählt: sie nennt keine Regel, oder kein Artikel hat die angegebenen Worte
trace-checks = **Prüfungen** { $passed } von { $count } bestanden
trace-no-checks = **Prüfungen** es gab nichts zu prüfen
trace-model-call = :gray[Modellaufruf für { $purpose }: { $facts }]
trace-tokens = { $in } Token gesendet, { $out } erhalten
trace-sent = { $count ->
    [one] { $count } Bestimmung
   *[other] { $count } Bestimmungen
} gesendet
trace-tools-offered = Werkzeuge angeboten
trace-tools-withheld = Werkzeuge zurückgehalten
purpose-classify = die Einordnung
purpose-answer = die Antwort
purpose-score = die Bewertung
ruling-supported = belegt
ruling-contradicted = widersprochen
ruling-not-in-the-evidence = nicht in den Belegen
check-quote = Zitat
check-number = Zahl
check-marker = Marke
check-sum = Rechnung
check-duty = Pflicht
check-verdict = Urteil
check-uncited = ohne Beleg
check-place = Stelle
check-force = Geltung
check-whole = Vollständigkeit
criterion-completeness = Vollständigkeit
criterion-accuracy = Richtigkeit
criterion-clarity = Klarheit
criterion-specificity = Genauigkeit
budget-at-most = höchstens { $most }
budget-rounds = je höchstens { $count } Werkzeugrunden
budget-any-rounds = je beliebig viele Werkzeugrunden
budget-accepted = angenommen ab { $score }
budget-not-scored = ohne Bewertung

export-reasoning = Gedankengang
export-cited = Zitiert
export-page = [{ $number }] Seite { $page }
