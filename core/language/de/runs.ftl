# Läufe und Auswertungen.

runs-all = Alle Läufe
runs-open-chat = Im Chat öffnen
runs-gone = Der Chat dieses Laufs wurde gelöscht oder der Link ist unvollständig.
runs-empty = Es wurde noch nichts gefragt. Fragen Sie auf der Seite „Chat“: Jeder Lauf wird gespeichert und lässt sich nachvollziehen.
runs-words = Wörter
runs-days = Tage, von und bis
runs-order = Reihenfolge
runs-order-newest = neueste zuerst
runs-order-oldest = älteste zuerst
runs-order-best-score = beste Bewertung
runs-order-worst-score = schlechteste Bewertung
runs-order-dearest = teuerste
runs-order-slowest = langsamste
runs-no-match = Kein Lauf passt. Lockern Sie die Filter.
runs-charts = Bewertung, Kosten und Dauer
runs-shown = { $count ->
    [one] { $count } Lauf
   *[other] { $count } Läufe
} von { $total }
runs-running = :blue-badge[Läuft]
runs-asked = Gefragt am { $time }
chart-score = Bewertung
chart-cost = Kosten
chart-seconds = Dauer
chart-score-unit = von 10
chart-empty = Keine Werte für diese Läufe.
chart-about = { $name } von { $count ->
    [one] { $count } Lauf
   *[other] { $count } Läufen
} im Zeitverlauf

set-file = Fragensatz (CSV oder JSON Lines)
set-help = Wie ein Fragensatz aussieht
set-format =
    Eine Kopfzeile und je Zeile eine Frage. `articles` sind die Artikel, die sie beantworten, durch `;`
    getrennt: Jeder davon genügt. `none` heißt, dass keine Regel die Frage beantwortet: Sie soll
    abgelehnt oder einer Person überlassen werden, und keine Antwort darf angenommen werden. Alle anderen
    Spalten sind freiwillig. `season` und `document` (Bezeichnung, Datei, Id oder Reihe) legen den
    Suchbereich fest. `says` sind Wörter, die in den Zitaten dieser Artikel stehen müssen, durch `;`
    getrennt, und zwar alle; `legal`, `not legal` und `cannot tell` sind Urteile einer Prüfung.
    `answer_season` ist die Saison der richtigen Artikel, wenn schon die Frage dorthin führen muss. In
    JSON Lines ist jede Zeile ein Objekt mit diesen Namen.
set-example = Beispiel
set-use-example = Das Beispiel verwenden, mit den Beispielregelwerken
set-lacks-samples = Das Beispiel fragt nach den Beispielregelwerken; einige davon fehlen in der Bibliothek.
evaluation-title = Auswertung von { $name }
evaluation-progress = { $name }: { $done } von { $count ->
    [one] { $count } Frage
   *[other] { $count } Fragen
}
evaluation-stop = Auswertung anhalten
evaluation-stopping = Wird angehalten
evaluation-test-with = Testen mit
evaluation-method-agent = Agent
evaluation-method-search = Nur Suche
evaluation-costs = Jede Frage ist ein Lauf und kostet so viel wie im Chat.
evaluation-run = { $count ->
    [one] { $count } Frage
   *[other] { $count } Fragen
} stellen
evaluation-run-none = Fragen stellen
evaluation = Auswertung
evaluation-compared = Verglichen mit
evaluation-no-other = Keiner anderen
evaluation-show-all = Alle
evaluation-show-missed = Nicht richtig
evaluation-show-wrong = Falsch, angenommen
evaluation-show-worse = Schlechter als zuvor
evaluation-show-better = Besser als zuvor
evaluation-shown = { $count ->
    [one] { $count } Ergebnis
   *[other] { $count } Ergebnisse
} von { $total }
evaluation-remove = Diese Auswertung entfernen? Ihre Läufe bleiben in ihrem Chat.
evaluation-leave = Sie können diese Seite verlassen. Jedes Ergebnis wird gespeichert, sobald es vorliegt.
evaluation-none = Noch keine Auswertung. Wählen Sie oben einen Fragensatz, um zu sehen, wie viele seiner Artikel gefunden und zitiert werden.
evaluation-results = Ergebnisse
evaluation-stopped = { $evaluation }, angehalten bei { $done } von { $count }
evaluation-search-only = nur Suche
evaluation-changes = Unter jeder Zahl: ihre Änderung seit { $evaluation }, bei { $count ->
    [one] { $count } gemeinsamen Frage
   *[other] { $count } gemeinsamen Fragen
}.
plot-share = Anteil in %
plot-bar = { $metric } { $share } %

metric-hit_1 = Erwarteter Artikel zuerst
metric-hit_1-about = Von Fragen mit erwarteten Artikeln.
metric-hit_5 = Unter den ersten { $depth }
metric-hit_5-about = Ein erwarteter Artikel ist unter den ersten Bestimmungen.
metric-cited = Zitiert
metric-cited-about = Die Antwort zitiert einen erwarteten Artikel.
metric-standing = Richtige Zitate
metric-standing-about = Wörtlich in der zitierten Bestimmung, erneut an der Bibliothek geprüft.
metric-right_accepted = Richtig, angenommen
metric-right_accepted-about = Von Fragen, die eine Regel beantwortet.
metric-right_not_accepted = Richtig, nicht angenommen
metric-right_not_accepted-about = Von Fragen, die eine Regel beantwortet: Der Entwurf ist richtig, aber eine Person muss entscheiden.
metric-wrong_accepted = Falsch, angenommen
metric-wrong_accepted-about = Von den angenommenen Antworten. Diese schaden am meisten.
metric-refused_rightly = Zu Recht abgelehnt
metric-refused_rightly-about = Von Fragen, die keine Regel beantwortet: keine angenommen.
metric-refused_wrongly = Zu Unrecht abgelehnt
metric-refused_wrongly-about = Von Fragen, die eine Regel beantwortet.
metric-score = Bewertung
metric-score-about = Mittelwert aller Bewertungen, von 10.
metric-cost = Kosten
metric-cost-about = Alle Fragen zusammen.
metric-seconds = Dauer je Frage
metric-seconds-about = Mittelwert.
metric-failed = Fehlgeschlagen
metric-failed-about = Nicht gestellt oder nicht beantwortet.
metric-same = wie zuvor

result-open = Lauf öffnen
fact-line = Zeile { $line }
fact-no-rule = keine Regel beantwortet sie
fact-at-place = auf Platz { $rank }
fact-not-among = nicht unter den ersten { $depth }
fact-expected = erwartet { $articles }: { $place }
fact-expected-season = erwartet { $articles } von { $season }: { $place }
fact-cited = zitiert
fact-not-cited = nicht zitiert
fact-quoted = { $words } zitiert
fact-not-quoted = { $words } nicht zitiert
fact-stand = { $standing } von { $count ->
    [one] { $count } Zitat
   *[other] { $count } Zitaten
} richtig
result-right_accepted = richtig, angenommen
result-right_not_accepted = richtig, nicht angenommen
result-refused_rightly = zu Recht abgelehnt
result-wrong_accepted = falsch, angenommen
result-missed = verfehlt
set-not-held = { $count ->
    [one] { $count } Frage bleibt
   *[other] { $count } Fragen bleiben
} weg: zu einer Saison, von der kein Regelwerk vorhanden ist.
