# Der Rahmen aller Seiten, die Anmeldung und die Einstellungen.

page-chat = Chat
page-chat-about = Fragen Sie die Regelwerke der Bibliothek und sehen Sie zu, wie die Antwort gefunden wird.
page-rulebooks = Regelwerke
page-rulebooks-about = Die Dokumente: hinzufügen, als Baum lesen, in allen suchen.
page-compare = Vergleichen
page-compare-about = Was sich zwischen zwei Dokumenten geändert hat, Wort für Wort, und was das betrifft.
page-limits = Grenzwerte
page-limits-about = Alle Grenzwerte und Pflichten eines Regelwerks, und Ihre Werte daran geprüft.
page-check_quotes = Zitate prüfen
page-check_quotes-about = Jedes Zitat und jeden genannten Artikel eines Textes prüfen.
page-runs = Läufe
page-runs-about = Jeder Lauf: was gefragt und wie es beantwortet wurde. Auch ganze Fragensätze.
page-settings = Einstellungen
page-settings-about = Aktuelle Einstellungen, ein Schlüssel für diese Sitzung, ein Test des Modells.
page-shared = Freigegebener Chat

login-about = Ihre Fragen und Antworten werden unter Ihrem Namen gespeichert. Bitte melden Sie sich an.
login = Anmelden
login-with = Mit { $provider } anmelden
login-first = Bitte melden Sie sich zuerst an.
login-out = Abmelden
login-refused = Sie sind angemeldet, haben hier aber keinen Zugang zu Scrutineer.
person-unnamed = Jemand

settings-language = Sprache
settings-language-about = Gilt für diesen Tab. Regeln, Zitate und Antworten bleiben, wie sie geschrieben sind.
settings-language-browser = Wie der Browser
settings-model = Modell
settings-key-entered = :green[:material/key:] Es wird ein von Ihnen eingegebener Schlüssel verwendet, nur in dieser Sitzung, mit { $server }.
settings-key-forget = Schlüssel vergessen
settings-key-none = Kein Schlüssel ist gesetzt: Scrutineer arbeitet offline und zitiert ganze Sätze. Für Antworten, die Claude schreibt, geben Sie hier einen Schlüssel ein, oder setzen Sie `ANTHROPIC_API_KEY` in `.env` und starten Sie neu.
settings-key-set = :material/cloud: Antworten schreibt ein Modell bei { $server }.
settings-key = Schlüssel für diese Sitzung
settings-key-use = Schlüssel verwenden
settings-key-about = Ein hier eingegebener Schlüssel bleibt im Speicher, solange dieser Tab offen ist. Er wird nie auf die Platte geschrieben, nie wieder angezeigt und nur an { $server } gesendet.
settings-test = Verbindung testen
settings-test-about = Zwei kleine Aufrufe, für höchstens einen Cent.
settings-test-offline = Es gibt keine Verbindung zu testen: Das Offline-Modell braucht keine.
settings-testing = Beide Modelle erhalten eine kleine Frage
settings-purpose-decides = Ordnet ein und bewertet
settings-purpose-answers = Antwortet
settings-browsers = Wo Sie angemeldet sind
settings-browser = { $browser }, seit { $time }
settings-browser-this = Dieser Browser
settings-browser-unknown = Unbekannter Browser
settings-browser-end = Beenden
settings-feeds = Feeds
settings-feeds-about = Ein Feedreader zeigt, was neue Ausgaben ändern. Seine Adresse enthält einen Token, der nur Feeds öffnet und sonst nichts. Der Feed einer einzelnen Regel hat die Adresse der Regel, dann `/feed` und dasselbe `?token=`.
settings-feeds-make = Adresse für einen Feedreader anlegen
settings-feeds-once = :orange[Kopieren Sie sie jetzt: Sie wird nicht wieder gezeigt.]
settings-feeds-token = Angelegt { $time }
settings-webhook = Webhook
settings-webhook-works = Neue Ausgaben werden dem Webhook gemeldet, und keine wartet darauf.
settings-strangers = Fremde Dateien
settings-trying = Es wird geprüft, was ein Prozess darf, der Dateien liest
settings-current = Aktuelle Einstellungen
settings-current-about = Ändern Sie diese in der Datei .env oder in der Umgebung, und starten Sie neu. Umgebungsvariablen gehen der Datei .env vor.
settings-only-set = Nur was gesetzt ist
settings-none-set = Nichts ist gesetzt: Alle Einstellungen haben ihre Vorgaben. Schreiben Sie zum Beispiel die Zeile SCRUTINEER_MAX_ITERATIONS=5 in .env.
settings-session = diese Sitzung
