# Wörter, die mehrere Seiten teilen: Anzahlen, Ergebnisse, Stellen, Knöpfe.

clauses = { $count ->
    [one] { $count } Bestimmung
   *[other] { $count } Bestimmungen
}
pages = { $count ->
    [one] { $count } Seite
   *[other] { $count } Seiten
}
documents = { $count ->
    [one] { $count } Dokument
   *[other] { $count } Dokumente
}
iterations = { $count ->
    [one] { $count } Durchgang
   *[other] { $count } Durchgänge
}
tool-rounds = { $count ->
    [one] { $count } Werkzeugrunde
   *[other] { $count } Werkzeugrunden
}
model-calls = { $count ->
    [one] { $count } Modellaufruf
   *[other] { $count } Modellaufrufe
}
clauses-on-pages = { $count ->
    [one] { $count } Bestimmung, { $pages }
   *[other] { $count } Bestimmungen, { $pages }
}

quoted = „{ $words }“

today = Heute
yesterday = Gestern

outcome-answered = Beantwortet
outcome-found = Nächstliegende Regeln
outcome-not_found = Nicht gefunden
outcome-limit_reached = Grenze erreicht
outcome-declined = Abgelehnt
outcome-clarification_needed = Rückfrage
outcome-cancelled = Angehalten
outcome-failed = Fehlgeschlagen

verdict-legal = zulässig
verdict-not-legal = nicht zulässig
verdict-cannot-tell = nicht entscheidbar

status-inserted = Neu in dieser Ausgabe
status-deleted = Gestrichen, nicht in Kraft
status-future = Für eine spätere Saison, noch nicht in Kraft
status-note = Anmerkung, nicht bindend
status-hidden = Unsichtbarer Text
status-differs = Seite und Text weichen voneinander ab

article = Artikel
score = Bewertung
cost = Kosten
check-no-limit = kein Grenzwert ({ $kind }) in den zitierten Bestimmungen

all = Alle
show = Anzeigen
open = Öffnen
close = Schließen
undo = Rückgängig
remove = Entfernen
remove-yes = Ja, entfernen
continue = Weiter
read-again = Die Dokumente werden neu gelesen. Jedes dauert einige Sekunden ...

library-empty = Die Bibliothek ist leer. Fügen Sie auf der Seite „Regelwerke“ ein Regelwerk (PDF, Word) hinzu.
issue-number = Ausgabe { $issue }
no-picture = Von der Seite gibt es kein Bild: Das Dokument ist kein PDF oder wurde entfernt.
page-of = Seite { $page } von { $pages }
page-of-document = Seite { $page }: { $document }
page-previous = Zurück
page-next = Weiter
zoom = Zoom
zoom-quote = Zitat
figure-figure = Abbildung
figure-equation = Gleichung
figure-name = { $kind } aus { $article } auf Seite { $page }
figure-caption = { $caption } :gray[(Seite { $page })]
open-article = { $article } öffnen{ $page ->
    [0] { "" }
   *[other] , Seite { $page }
}

error-damaged = Die Bibliothek ist beschädigt und kann nicht gelesen werden.
error-version = Die Bibliothek stammt von einer anderen Version von Scrutineer.
error-read-again = Dokumente neu lesen
error-read = Alle Dokumente wurden geprüft.
view-differences = Unterschiede
view-touched = Was das betrifft
view-runs = Läufe
view-evaluation = Fragensätze
view-sheet = Werte prüfen
