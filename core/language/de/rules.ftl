# Regeln lesen: Suchen, Blättern, Vergleichen, Änderungen.

search-words = Wörter oder Artikelnummer in allen Regelwerken
search-rulebooks = Regelwerke
search-seasons = Saisons
search-issues = Auch frühere Ausgaben
search-issues-about = Sonst die neueste Ausgabe jedes Regelwerks und jeder gewählten Saison.
search-also = Auch finden
search-none = Keine Regel hat diese Nummer oder diese Wörter. Nehmen Sie weniger Wörter oder lockern Sie die Filter.
search-found = **{ $clauses }** in { $documents }, die besten zuerst
search-found-or-more = **{ $clauses } oder mehr** in { $documents }, die besten zuerst
search-place = { $document }{ $page ->
    [0] { "" }
   *[other] , Seite { $page }
}

browse-missing = Das Dokument dieser Adresse ist nicht in der Bibliothek.
browse-no-article = Das Dokument hat keinen solchen Artikel: Der Link ist unvollständig.
browse-words = Wörter oder Artikelnummer in { $document }
browse-back = Alle Regelwerke
browse-also = Auch zeigen
browse-choose = Wählen Sie einen Artikel.
browse-all = Alle Artikel
browse-above = { $count } Artikel darüber
browse-below = { $count } weitere Artikel: Suchen Sie nach mehr Wörtern.
browse-none = Kein Artikel hat diese Nummer oder diese Wörter.
browse-ask = Dazu fragen
checklist = Checkliste (CSV)
checklist-listed = Checkliste: { $count ->
    [one] { $count } Bestimmung
   *[other] { $count } Bestimmungen
} dieser Liste
checklist-listed-about = Die unten gefundenen Artikel, die in Kraft sind.
checklist-term = Checkliste: { $count ->
    [one] { $count } Bestimmung
   *[other] { $count } Bestimmungen
} mit diesem Begriff
checklist-term-about = Die Artikel in Kraft, die diese Wörter zusammen nennen, alles darunter und alles, worauf beide verweisen.

address-short = Die Adresse einer Regel ist /rule/FAMILIE/SAISON/AUSGABE/ARTIKEL, ohne AUSGABE die der neuesten.
address-nothing = nichts
address-lacks-family = Ein Regelwerk der Familie { $family } ist nicht in der Bibliothek. Vorhanden: { $held }.
address-lacks-season = Von { $family } fehlt in der Bibliothek die Saison { $season }. Vorhanden: { $held }.
address-lacks-issue = Von { $family } { $season } fehlt in der Bibliothek die Ausgabe { $issue }. Vorhanden: { $held }.
address-lacks-article = Eine Regel { $article } gibt es nicht in: { $held }.
address-choose = { $count ->
    [one] Meinen Sie diese Regel?
   *[other] Welche dieser { $count } Regeln meinen Sie?
}
address-copy = Zum Kopieren: die Adresse dieser Regel

feed-rule = { $rule } in { $document }
feed-changes = Was neue Ausgaben ändern
feed-issue = { $document }: { $changed } geändert, { $dropped } weggefallen
feed-since = Verglichen mit { $document }:
feed-first = Die erste Ausgabe ihres Regelwerks hier.
feed-more = Und { $count } weitere.
feed-token = Dieser Feed braucht einen Token in seiner Adresse, ?token=...: Sie bekommen ihn auf der Seite „Einstellungen“ oder mit `{ $command } token NAME --feeds`.
feed-broken = Der Server kann gerade keine Feeds senden. Den Grund nennt sein Protokoll.
feed-choose = Diese Adresse meint mehrere Regeln: Öffnen Sie sie ohne /feed im Browser und wählen Sie eine.

clause-limits = **Grenzwerte**
clause-history = **In allen Ausgaben**
clause-history-finding = Die Bestimmung wird durch die Ausgaben verfolgt
clause-ocr = :orange-badge[Durch Texterkennung gelesen: Vergleichen Sie mit der Seite]
clause-heading = Eine Überschrift: Ihr Text steht in den Artikeln darunter.
clause-refers = **Verweist auf**
clause-referred = **Verweise hierher**
clause-finding = Verweise auf diese Bestimmung werden gesucht
reference-missing = { $reference } (nicht in seinem Dokument)
reference-not_held = { $reference } (das Dokument ist nicht in Ihrer Bibliothek)

compare-one = Zum Vergleichen braucht es zwei Dokumente, die Bibliothek enthält eines. Fügen Sie auf der Seite „Regelwerke“ Regelwerke (PDF, Word) hinzu.
compare-none = Zum Vergleichen braucht es zwei Dokumente, die Bibliothek ist leer. Fügen Sie auf der Seite „Regelwerke“ Regelwerke (PDF, Word) hinzu.
compare-choose = Kein Regelwerk liegt hier in zwei Ausgaben vor. Wählen Sie zwei Dokumente zum Vergleichen.
compare-pick = Dokument wählen
compare-same = Das ist zweimal dasselbe Dokument. Wählen Sie ein anderes zum Vergleichen.
compare-before = Vorher
compare-after = Nachher
compare-swap = Tauschen
compare-swap-about = In umgekehrter Richtung vergleichen.
compare-comparing = { $before } Bestimmungen werden mit { $after } verglichen
compare-picture = Änderungen nach Kapiteln
compare-shown = { $shown } von { $count ->
    [one] { $count } Bestimmung
   *[other] { $count } Bestimmungen
}
compare-whole = Ganzer Wortlaut
compare-whole-about = Auch die langen unveränderten Teile.
compare-no-match = Keine Bestimmung passt. Lockern Sie die Filter.
compare-publisher = Markierung des Herausgebers
compare-declared = Angabe des Herausgebers
compare-article = Artikel
compare-words = Wörter
compare-place = Stelle
compare-wording = Wortlaut
compare-counts = **{ $name }:** { $counts }.
compare-unchanged = :gray[{ $share } unverändert]
compare-said = Der Herausgeber sagt: „{ $words }“
compare-figure = eine Abbildung auf Seite { $page }
compare-redrawn = Anders gezeichnet: { $figure }.
compare-came-below = Neu darunter: { $articles }.
compare-left-below = Nicht mehr darunter: { $articles }.
compare-marks-since = Das spätere Dokument markiert, was sich nach Ausgabe { $issue } von { $season } geändert hat. Was sich davor geändert hatte, steht darin ohne Markierung.
compare-two-rulebooks = Das sind zwei verschiedene Regelwerke, nicht zwei Ausgaben eines Regelwerks: Ähnliches wird gepaart, und das meiste ist verschieden.
compare-heading = :gray[Eine Überschrift ohne Text]
compare-open = { $article } in { $document }
compare-not-in = Nicht in { $document }.
place-same = Gleiche Stelle
place-renumbered = Umnummeriert
place-moved = Verschoben
place-added = Hinzugefügt
place-removed = Entfernt
place-count-same = { $count } gleich
place-count-renumbered = { $count } umnummeriert
place-count-moved = { $count } verschoben
place-count-added = { $count } hinzugefügt
place-count-removed = { $count } entfernt
wording-same = Gleicher Wortlaut
wording-changed = Geänderter Wortlaut
wording-count-same = { $count } gleich
wording-count-changed = { $count } geändert
change-unchanged = unverändert
change-changed = geändert
change-added = hinzugefügt
change-removed = entfernt
change-renumbered = umnummeriert
change-renumbered-changed = umnummeriert, geändert
change-moved = verschoben
change-moved-changed = verschoben, geändert
mark-marked = Vom Herausgeber als Änderung markiert
mark-partly = Vom Herausgeber nur teilweise markiert
mark-unmarked = Vom Herausgeber nicht markiert
declaration-found = Vom Herausgeber angegeben
declaration-undeclared = Vom Herausgeber nicht angegeben
declaration-not_found = Angegeben, aber keine Änderung gefunden
redline-offer = Alle Bestimmungen beider Dokumente, gestrichene und eingefügte Wörter als verfolgte Änderungen (Word) oder durchgestrichen und unterstrichen (PDF), gleich was die Filter zeigen. Ein langes Regelwerk braucht nach dem Klick einige Sekunden.
redline-title = Änderungsfassung: { $after } gegenüber { $before }
redline-about = Alle geltenden Bestimmungen beider Dokumente. Alle Änderungen annehmen: die Bestimmungen von { $after }. Alle ablehnen: die von { $before }. Texte, die keine Bestimmungen sind, fehlen. Änderungen nur an Leerzeichen, Großschreibung oder Typografie sind als „Scrutineer (spelling)“ verzeichnet.
redline-silent = { $after } hat weder Markierungen noch ein Verzeichnis der Änderungen: Welche angegeben wurden, ist nicht bekannt.
redline-moved-to = Von hier verschoben nach { $article }.
redline-moved-from = Von { $article } hierher verschoben.
redline-moved-changed = Dabei geändert: { $changes }
fold-unchanged = … { $count } unveränderte Wörter …
fold-more = … { $count } weitere Wörter …
fold-rest = :gray[… { $count } weitere Wörter]

changes-one-issue = Eine Ausgabe vor dem späteren Dokument ist nicht vorhanden. Fügen Sie sie auf der Seite „Regelwerke“ hinzu: Diese Seite zeigt dann, welche Antworten die spätere betrifft.
changes-comparing = Die vorige Ausgabe wird verglichen
changes-before = Verglichen mit { $document }.
changes-clauses = { $count ->
    [one] { $count } geänderte Bestimmung
   *[other] { $count } geänderte Bestimmungen
}
changes-digest = Zusammenfassung (Markdown)
changes-answers = Antworten und Prüfungen
changes-no-answers = Keine Antwort und keine Prüfung zitiert eine geänderte Regel.
changes-suspects = { $count ->
    [one] { $count } Antwort ist durchzusehen.
   *[other] { $count } Antworten sind durchzusehen.
}
changes-other-seasons = :gray[{ $count ->
    [one] { $count } Antwort zitiert
   *[other] { $count } Antworten zitieren
} eine andere Saison, die diese Ausgabe nicht ersetzt.]
changes-all-cleared = Alle Antworten, die eine geänderte Regel zitieren, wurden durchgesehen.
changes-sheets = Wertetabellen
changes-rules = Regeln, die auf geänderte Regeln verweisen
changes-no-rules = Keine.
changes-refers = { $clause }: verweist auf { $articles }
answer-suspect = :orange-badge[Regel seitdem geändert]
answer-cleared = :green-badge[Erledigt]
answer-kind-answer = Antwort vom { $time }
answer-kind-check = Prüfung von Werten vom { $time }
answer-citation = { $article }, { $document } → { $now }
answer-gone = nicht mehr vorhanden
touched-open = Antwort öffnen
answer-clear = Ich habe sie durchgesehen
answer-cleared-by = Erledigt durch { $name }, { $time }
answer-cleared-at = Erledigt, { $time }
touched-rows = Zeilen von { $sheet }

# Auslegungen: wie Regeln gemeint sind, kein Regeltext.
ruling = :orange-badge[Auslegung, keine Regel]
ruling-changed = :red-badge[Regel seither geändert]
ruling-changed-since = Die Regel wurde seither geändert: Diese Auslegung bezieht sich auf { $edition }.
ruling-unknown-edition = Ob die Regel seither geändert wurde, ist nicht bekannt: Die Artikel wurden in { $edition } nachgeschlagen.
rulings-upload = Diese Dateien enthalten
rulings-none = Regeln
rulings-held = Auslegungen
rulings-on = zu { $documents }
rulings-page = Seite { $page }
rulings-are-rules = Es enthält Regeln
column-ruling = Auslegung
column-day = Tag
column-tied = Gehört zu
column-unresolved = Nicht zugeordnet
