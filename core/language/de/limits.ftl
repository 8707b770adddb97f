# Grenzwerte, Werte prüfen, Zitate prüfen.

view-limits = Grenzwerte
view-obligations = Pflichten
view-unread = Weitere Zahlen
limits-relation = Beziehung
limits-unit = Einheit
limits-a-count = eine Anzahl
limits-duty = Verbindlichkeit
limits-words = Wörter
limits-in-force = Nur was in Kraft ist
limits-figures = In Abbildungen können Zahlen stehen, die nicht gelesen wurden. Sie sind auf { $count ->
    [one] Seite
   *[other] den Seiten
} { $pages }.
limits-shown-limits = { $count ->
    [one] { $count } Grenzwert
   *[other] { $count } Grenzwerte
} von { $total }
limits-shown-obligations = { $count ->
    [one] { $count } Pflicht
   *[other] { $count } Pflichten
} von { $total }
limits-shown-unread = { $count ->
    [one] { $count } Zeile
   *[other] { $count } Zeilen
} von { $total }
relation-at-least = mindestens
relation-at-most = höchstens
relation-more-than = mehr als
relation-less-than = weniger als
relation-between = zwischen
relation-equal = gleich
relation-unclear = unklar
limit-not-proved = { $limit } (nicht bewiesen)
duty-must = muss
duty-must-not = darf nicht
duty-may = darf
duty-should = soll
limits-reading = Die Grenzwerte werden gelesen
obligations-reading = Die Pflichten werden gelesen
table-first-rows = Das sind die ersten { $count } Zeilen. Filtern Sie, oder laden Sie alle herunter.

limits-summary = { $unproved ->
    [0] Alle sind bewiesen.
   *[other] { $unproved } sind nicht bewiesen.
} Andere Zahlen: { $others }.
obligations-summary = { $count ->
    [one] { $count } Satz verpflichtet
   *[other] { $count } Sätze verpflichten
} niemanden: Sie sagen, was sein wird oder kann, oder nennen eine Pflicht nebenbei.
picture-other = anderes
picture-about = Klicken Sie auf einen Teil eines Balkens, oder wählen Sie Balken nach dem Namen
picture-bar = Kapitel
picture-kind = Art
picture-count = Anzahl

noted-file = Ausgefüllte Checkliste
noted-about = Zuständige, Teilteam, Stand und Nachweis werden gespeichert, auch für die nächste Ausgabe der Regeln.
noted-upload = Checkliste (CSV oder XLSX)
noted-count = { $count ->
    [one] Zu { $count } Pflicht vermerkt.
   *[other] Zu { $count } Pflichten vermerkt.
}
noted-unknown = { $count ->
    [one] { $count } Zeile passt zu keiner.
   *[other] { $count } Zeilen passen zu keiner.
}
noted-before = Vermerkt zu einem früheren Wortlaut: { $words }
open-unowned = Regeln ohne Zuständige
open-unanswered-in = Grenzwerte ohne Zeile: { $document }
open-earlier = Davor: { $counts }.
noted-unowned = niemand
noted-change = { $time } · { $who }: „{ $before }“ → „{ $after }“
noted-evidence = Nachweis

sheet-format =
    Ein Wert je Zeile: `id`, `parameter` (in Ihren Worten), `value`, `unit`, `note`. Nennen Sie in der
    Anmerkung, was eine Regel unterscheidet: vorn oder hinten, nass oder trocken, die Spannung der
    Batterie. *Zulässig* heißt es nur, wo Wörter, Bedingung und Einheit einer Zeile auf eine Regel
    weisen.
sheet-rulebooks = Regelwerke
sheet-rulebooks-about = Zuerst das, dessen Regeln zu den Werten der Tabelle passen.
sheet-help = So schreiben Sie eine Tabelle
sheet-file = Wertetabelle (CSV oder XLSX)
sheet-template = Eine Vorlage zum Ausfüllen:
sheet-saved = Gespeicherte Tabellen
sheet-remove = Diese Tabelle entfernen? Die von Ihnen gewählten Regeln bleiben.
sheet-values = Werte: Zeilen berichtigen, hinzufügen oder entfernen
sheet-values-table = Werte der Tabelle
sheet-name = Name
sheet-save = In der Bibliothek speichern
sheet-was-saved = Gespeichert.
sheet-upload = Laden Sie eine Tabelle hoch, oder öffnen Sie eine gespeicherte.
sheet-no-rulebook = Wählen Sie ein Regelwerk.
sheet-checking = { $count ->
    [one] { $count } Zeile wird
   *[other] { $count } Zeilen werden
} geprüft
sheet-verdicts = Urteile
sheet-shown = { $count ->
    [one] { $count } Urteil
   *[other] { $count } Urteile
} von { $total }
sheet-choose-row = Wählen Sie eine Zeile, um ihre Regel zu sehen, deren Bestimmung zu öffnen oder die gemeinte Regel zu bestimmen.
sheet-none-decided = Zu keiner Zeile gibt es ein Urteil. Gehört das Blatt zu einem anderen Regelwerk? Wählen Sie es oben.
sheet-decides = Zu klären: { $missing }.
sheet-pick = Regel, die mit diesem Parameter gemeint ist, in dieser und allen späteren Tabellen
sheet-by-words = Nach Wörtern gefunden
sheet-uncovered = Regeln, zu denen keine Zeile gehört
sheet-uncovered-count = { $count ->
    [one] { $count } Grenzwert
   *[other] { $count } Grenzwerte
} in Kraft von { $total }.
sheet-verdict-legal = ✓ zulässig
sheet-verdict-not-legal = ✗ nicht zulässig
sheet-verdict-cannot-tell = ? nicht entscheidbar
sheet-verdict-no-rule = – nichts gefunden

quotes-about =
    Ein Protest, ein Konstruktionsbericht, die Antwort eines anderen Assistenten: Jedes Zitat und jeder
    genannte Artikel wird in den Regelwerken gesucht und beurteilt. Maßgeblich ist die Ausgabe, die ein
    Satz nennt, sonst die neueste.
quotes-text = Text
quotes-file = Oder eine Datei (Markdown, Text, Word, PDF)
quotes-check = Prüfen
quotes-checking = Alle Zitate werden geprüft
quotes-reading = Die Regeln werden gelesen
quotes-too-long = { $file } hat mehr als { $count } Zeichen: Prüfen Sie den Text in Teilen.
quotes-findings = Befunde
quotes-with-marks = Text mit Markierungen
quotes-choose-row = Wählen Sie eine Zeile, um ihre Regel zu sehen und auf ihrer Seite zu öffnen.
quotes-marked = Der Text mit Markierungen
finding-stands = ✓ richtig
finding-overridden = ✗ von einer anderen Ebene ersetzt
finding-unsettled = ? andere Ebene kann es ändern
finding-altered = ✗ verändert
finding-other_article = ✗ aus einem anderen Artikel
finding-other_edition = ✗ aus einer anderen Ausgabe
finding-deleted = ✗ nicht in Kraft
finding-ruling = ! in einer Auslegung, keine Regel
finding-not_held = ? nicht in der Bibliothek
finding-no_source = ✗ nicht gefunden
