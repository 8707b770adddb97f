# Was core als Fehler meldet, mit seiner Art und seinem Code. Auf Englisch sagt core es selbst.

ScrutineerError-empty_question = Die Frage ist leer. Schreiben Sie, was Sie wissen möchten.
ScrutineerError-long_question = Die Frage ist zu lang. Kürzen Sie sie, oder teilen Sie sie auf.
ScrutineerError-not_waiting = Dieser Lauf hat seine Antwort. Stellen Sie eine neue Frage.
ScrutineerError-nothing_in_scope = Im Suchbereich ist kein Dokument. Wählen Sie Quellen aus, oder fügen Sie ein Regelwerk hinzu.

ReadError-empty = Die Datei ist leer. Wählen Sie eine andere.
ReadError-not_pdf = Die Datei ist kein PDF. Wählen Sie eine PDF-Datei.
ReadError-not_word = Die Datei ist keine Word-Datei im Format .docx. Speichern Sie sie als .docx, oder ein PDF unter einem Namen mit .pdf.
ReadError-macros = Die Word-Datei enthält Makros. Speichern Sie sie ohne Makros als .docx.
ReadError-external = Die Word-Datei lädt Teile von einem anderen Ort nach. Speichern Sie eine Kopie, die alle ihre Teile enthält.
ReadError-encrypted = Die Datei braucht ein Kennwort. Geben Sie es ein, oder fügen Sie eine Kopie ohne Kennwort hinzu.
ReadError-wrong_password = Dieses Kennwort öffnet die Datei nicht. Prüfen Sie es, und geben Sie es noch einmal ein.
ReadError-damaged = Die Datei ist beschädigt und nicht zu lesen. Laden Sie sie noch einmal herunter.
ReadError-too_large = Die Datei ist zu groß. Teilen Sie sie, und fügen Sie die Teile hinzu.
ReadError-no_text = Die Datei enthält keinen Text, oder nur Bilder von Seiten, auf denen kein Text zu erkennen war.
ReadError-no_clauses = In der Datei wurden keine oder zu wenige nummerierte Regeln gefunden. Sie kann nicht hinzugefügt werden.
ReadError-no_rulings = In der Datei wurden keine Fragen mit Antworten und keine Entscheidungen gefunden. Sie kann nicht als Auslegung hinzugefügt werden.
ReadError-maybe_rulings = In der Datei wurden keine nummerierten Regeln gefunden, aber Fragen mit Antworten oder Entscheidungen. Wenn das Auslegungen sind, geben Sie an, zu welchem Regelwerk.
ReadError-encoding = Die Datei ist kein Text, der gelesen werden kann. Speichern Sie sie als UTF-8.

LibraryError-locked = Ein anderes Programm ändert gerade die Bibliothek. Warten Sie, bis es fertig ist, und versuchen Sie es noch einmal.
LibraryError-away = Die Bibliothek ist gerade nicht zu erreichen. Sie hat dabei keinen Schaden genommen: versuchen Sie es später noch einmal.
LibraryError-empty_query = Es fehlt ein Wort, nach dem gesucht werden kann. Verwenden Sie Wörter, die in einer Regel stehen.

SheetError-damaged = Die Datei ist nicht als Tabelle zu lesen. Speichern Sie sie noch einmal als CSV oder XLSX.
SheetError-too_large = Die Tabelle ist zu groß. Teilen Sie sie.
SheetError-empty = Die Tabelle hat keine Zeilen unter ihrer Überschrift.
SheetError-encoding = Die Datei ist kein Text, der gelesen werden kann. Speichern Sie sie als UTF-8.

# Was Grenzwerte messen, wie core/grammar es nennt.
kind-acceleration = Beschleunigung
kind-angle = Winkel
kind-area = Fläche
kind-charge = Ladung
kind-clear-days = volle Tage
kind-concentration = Konzentration
kind-conductivity = Leitfähigkeit
kind-current = Strom
kind-data = Daten
kind-density = Dichte
kind-energy = Energie
kind-energy-a-lap = Energie je Runde
kind-flow = Durchfluss
kind-force = Kraft
kind-frequency = Frequenz
kind-laps = Runden
kind-length = Länge
kind-mass = Masse
kind-mass-in-volume = Masse je Volumen
kind-mass-per-power = Masse je Leistung
kind-money = Geld
kind-months = Monate
kind-places = Plätze
kind-points = Punkte
kind-power = Leistung
kind-power-for-its-size = Leistung je Größe
kind-pressure = Druck
kind-resistance = Widerstand
kind-rotation = Drehzahl
kind-second-moment = Flächenmoment
kind-sets = Sätze
kind-share = Anteil
kind-sound = Schall
kind-speed = Geschwindigkeit
kind-stiffness = Steifigkeit
kind-temperature = Temperatur
kind-time = Zeit
kind-time-of-day = Uhrzeit
kind-torque = Drehmoment
kind-voltage = Spannung
kind-volume = Volumen
kind-volume-flow = Volumenstrom
kind-working-days = Werktage
