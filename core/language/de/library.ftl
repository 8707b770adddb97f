# Die Bibliothek: Hochladen, Warteschlange, Dokumente und was ihr Einlesen übrig ließ.

library-folder = Ganzen Ordner hinzufügen
library-limits = Sie können weiterarbeiten, während Dateien hinzugefügt werden. PDF-Dateien bis { $megabytes } MB, { $files } pro Stunde.
library-add-above = Die Bibliothek ist leer. Fügen Sie oben ein Regelwerk (PDF, Word) hinzu; das Einlesen dauert einige Sekunden.
library-read = Lesen
library-read-about = Die Artikel von { $document }
library-vectors = Die Suche nach Bedeutung wird vorbereitet (noch { $count ->
    [one] { $count } Bestimmung
   *[other] { $count } Bestimmungen
}).
upload = Regelwerke hinzufügen (PDF, Word)
upload-folder = Ordner mit Regelwerken hinzufügen (PDF, Word)
samples-reading = Die Beispielregelwerke werden gelesen, { $number } von { $count } ({ $file })
samples-held = Die Bibliothek enthält Beispielregelwerke einer erfundenen Rennserie.
samples-remove = Beispiele entfernen
samples-add = Beispielregelwerke hinzufügen

queue-clear = Liste leeren
queue-adding = { $count ->
    [one] { $count } Datei wird
   *[other] { $count } Dateien werden
} hinzugefügt
queue-added = { $count ->
    [one] { $count } Datei
   *[other] { $count } Dateien
} hinzugefügt
queue-unchanged = { $count } schon vorhanden
queue-failed = { $count ->
    [one] { $count } Datei
   *[other] { $count } Dateien
} nicht hinzugefügt
queue-reading = wird gelesen
queue-reading-page = Seite { $page } von { $pages } wird gelesen
queue-keeping = Regeln werden gespeichert
queue-scans = bereit bis auf Seiten, die Bilder sind: Seite { $page } von { $pages } wird gelesen
queue-vectors = über Wörter zu finden; die Suche nach Bedeutung wird vorbereitet, { $done } von { $count ->
    [one] { $count } Bestimmung
   *[other] { $count } Bestimmungen
}
queue-elapsed = seit { $time }
queue-waiting = wartet
queue-waiting-behind = wartet, { $count ->
    [one] { $count } Datei
   *[other] { $count } Dateien
} vorher
queue-cancel = Abbrechen
queue-cancelling = Wird abgebrochen
queue-retry = Erneut versuchen
queue-dismiss = Ausblenden
queue-unlock = Entsperren
queue-password = Passwort dieser Datei
queue-password-about = Wird nicht gespeichert. Die Bibliothek behält eine Kopie ohne Passwort.
queue-say-family = Reihe angeben
queue-say-season = Saison angeben
queue-say-family-season = Reihe und Saison angeben
queue-say-about = Eine neuere Ausgabe löst eine ältere nur innerhalb einer Reihe ab.
result-added = :green[:material/check:] Hinzugefügt: { $label }, { $size }, { $time }.
result-same = :material/check: Nichts hinzuzufügen: { $name } ist bereits als { $label } in der Bibliothek.
result-copy = :material/check: Nichts hinzuzufügen: { $name } ist dieselbe Datei wie { $file }, bereits als { $label } in der Bibliothek.
result-locked = :orange[:material/lock:] Nicht hinzugefügt: { $name } verlangt ein Passwort.
result-removed = :material/check: { $name } wurde hinzugefügt und inzwischen wieder entfernt.
result-cancelled = :gray[:material/block:] { $name } wurde abgebrochen und nicht hinzugefügt.
result-failed = :red[:material/error:] Nicht hinzugefügt: { $said }
edition-same = { $file } hat dieselbe Saison und Ausgabe: Prüfen Sie, welche Datei bleiben soll.
edition-later = { $label } ist neuer und gilt weiterhin als Vorgabe.
edition-earlier = Dieses Dokument ist neuer als { $label }; diese Ausgabe bleibt in der Bibliothek.

document-invented = erfunden
document-word = Word-Datei
document-partly = teilweise gelesen
document-warnings = { $count ->
    [one] { $count } Warnung
   *[other] { $count } Warnungen
}
document-unknown = unbekannt: { $names }
document-default = :green-badge[Wird standardmäßig durchsucht]
document-not-known = :orange[unbekannt]
document-newer-label = { $label } :gray[(gilt als Vorgabe)]
document-reading = **Einlesen**
document-fine = Keine Probleme gefunden.
document-warning-page = Seite { $page }: { $message }
document-details = **Angaben** :small[hier berichtigen; leer lassen, wenn unbekannt]
document-save = Speichern
layers-title = **Ebenen** :small[wie es zu anderen Dokumenten steht; was eine Regel außer Kraft setzt, steht vor ihr]
layers-proposed = So steht es in seinem Text. Nehmen Sie es an, wenn es stimmt:
layers-accept = Annehmen
layers-remove = Entfernen, was zu { $document } gesagt ist
layers-add = Sagen, wie es zu einem anderen Dokument steht
layers-kind = Dieses Dokument
layers-other = das andere Dokument
layers-prevails = Bei einem Widerspruch
layers-from = Ab diesem Tag
layers-save = Speichern
layers-on-this = { $document }: { $relation }
relation-kind-supplements = ergänzt
relation-kind-amends = ändert
relation-kind-replaces = ersetzt ab einem Tag
relation-kind-interprets = legt aus
relation-supplements = ergänzt { $document }
relation-amends = ändert { $document }
relation-replaces = ersetzt { $document }
relation-interprets = legt { $document } aus
relation-prevails-this = dieses Dokument geht vor
relation-prevails-other = das andere geht vor
relation-prevails-none = nichts sagt, was vorgeht
relation-from = ab { $day }
relation-by = gesagt von { $who } am { $day }
relation-at = gesagt am { $day }
relation-gone = ein Dokument, das nicht mehr in der Bibliothek ist
relation-valid = in Kraft von { $from } bis { $to }
relation-open = offen
document-remove = **{ $label }** aus der Bibliothek entfernen? Frühere Antworten behalten ihre Zitate.

report-deleted_spans = { $count ->
    [one] { $count } gestrichene Stelle
   *[other] { $count } gestrichene Stellen
}: nicht Teil der Regeln, als gestrichen angezeigt
report-deleted_clauses = { $count ->
    [one] { $count } ganz gestrichene Bestimmung
   *[other] { $count } ganz gestrichene Bestimmungen
}: nicht Teil der Regeln
report-inserted_spans = { $count ->
    [one] { $count } als neu markierte Stelle
   *[other] { $count } als neu markierte Stellen
}: in Kraft
report-future_clauses = { $count ->
    [one] { $count } Bestimmung
   *[other] { $count } Bestimmungen
} für eine spätere Saison: nicht Teil der Regeln dieser Saison
report-hidden_spans = { $count ->
    [one] { $count } auf der Seite nicht sichtbare Stelle
   *[other] { $count } auf der Seite nicht sichtbare Stellen
}: nicht Teil der Regeln
report-notes = { $count ->
    [one] { $count } Anmerkung
   *[other] { $count } Anmerkungen
}: laut Dokument nicht bindend
report-tables = { $count ->
    [one] { $count } Tabelle
   *[other] { $count } Tabellen
}: Zeile für Zeile gelesen
report-figures = { $count ->
    [one] { $count } Abbildung oder Gleichung
   *[other] { $count } Abbildungen und Gleichungen
}: als Bild gezeigt, nicht gelesen
report-repairs = { $count ->
    [one] { $count } Wort
   *[other] { $count } Wörter
} mit fehlerhaften Buchstaben: repariert
report-unresolved_references = { $count ->
    [one] { $count } Verweis auf einen Artikel, der hier fehlt
   *[other] { $count } Verweise auf Artikel, die hier fehlen
}: siehe unten
report-numbering_gaps = { $count ->
    [one] { $count } Lücke
   *[other] { $count } Lücken
} in der Nummerierung: siehe unten
report-duplicates = { $count ->
    [one] { $count } doppelt vergebene Artikelnummer
   *[other] { $count } doppelt vergebene Artikelnummern
}: nach ihrer Reihenfolge unterschieden
report-pages_without_text = { $count ->
    [one] { $count } Seite
   *[other] { $count } Seiten
} ohne Text: nicht gelesen
report-pages_recognised = { $count ->
    [one] { $count } gescannte Seite
   *[other] { $count } gescannte Seiten
}: durch Texterkennung gelesen
letters = { $count ->
    [one] { $count } Buchstabe
   *[other] { $count } Buchstaben
}
report-letters_contents = Beiseite gelegt als Inhaltsverzeichnis: { letters }
report-letters_comment = Beiseite gelegt als Kommentare: { letters }
report-letters_text_box = Beiseite gelegt als Textfelder: { letters }
report-letters_changelog = Beiseite gelegt als Verzeichnis der Änderungen: { letters }
report-letters_furniture = Beiseite gelegt als Kopf- und Fußzeilen: { letters }
report-letters_legend = Beiseite gelegt als Legende: { letters }
report-letters_lettering = Beiseite gelegt als Beschriftung von Bildern: { letters }
report-letters_turned = Beiseite gelegt als gedrehter Text: { letters }
report-letters_footnote = Beiseite gelegt als Fußnoten: { letters }
report-letters_index = Beiseite gelegt als Stichwortverzeichnis: { letters }
report-letters_cover = Beiseite gelegt als Titelblatt: { letters }
report-signatures = { $count ->
    [one] { $count } Signatur
   *[other] { $count } Signaturen
}: Unterzeichner nicht geprüft
report-scripts = { $count ->
    [one] { $count } Skript oder Programm
   *[other] { $count } Skripte oder Programme
}, von der Datei zum Start vorgesehen: nie ausgeführt
report-layers = { $count ->
    [one] { $count } ein- und ausblendbare Ebene
   *[other] { $count } ein- und ausblendbare Ebenen
}: so gelesen, wie die Datei sie zeigt
report-attachments = { $count ->
    [one] { $count } angehängte Datei
   *[other] { $count } angehängte Dateien
}: nicht gelesen
report-form_fields = { $count ->
    [one] { $count } Formularfeld
   *[other] { $count } Formularfelder
}: so gelesen, wie ausgefüllt

left-lines = { $count ->
    [one] { $count } Zeile
   *[other] { $count } Zeilen
}, die unter keiner Nummer stehen (ohne Deckblatt)
left-numbers = { $count ->
    [one] { $count } Nummer sieht wie eine Überschrift aus
   *[other] { $count } Nummern sehen wie Überschriften aus
}, ohne dass eine Bestimmung beginnt
left-long = { $article }{ $page ->
    [0] { "" }
   *[other] { " " }auf Seite { $page }
} hat { $letters ->
    [one] { $letters } Buchstaben
   *[other] { $letters } Buchstaben
}: Darin können Regeln untergegangen sein
lines-open = Seiten ansehen
lines-read-whole = { $size }, vollständig gelesen
lines-read-partly = { $size }, teilweise gelesen
lines-pages = Seiten mit übrig gebliebenen Zeilen
lines-page = Seite { $page }: { $count ->
    [one] { $count } Zeile
   *[other] { $count } Zeilen
}
lines-any-page = Beliebige Seite
lines-of-page = **Eine Zeile{ $page ->
    [0] { "" }
   *[other] { " " }von Seite { $page }
}** :small[gilt für alle gleichartigen]
lines-marked = Auf der Seite markierte Zeilen
lines-choose = Wählen Sie eine oder geben Sie ihre ersten Wörter an
lines-other = Oder die ersten Wörter einer anderen Zeile
lines-kind = Sie ist
lines-kind-heading = Eine Überschrift
lines-kind-furniture = Kopfzeile, Fußzeile oder Stempel
lines-level = Ebene
lines-apply = Damit neu lesen
lines-said-heading = Seite { $page }, „{ $words }“: Überschrift der Ebene { $level }
lines-said-furniture = Seite { $page }, „{ $words }“: Kopfzeile, Fußzeile oder Stempel
lines-reading = Das Dokument wird neu gelesen
