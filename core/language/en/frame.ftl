# The frame of all pages, the login, and the settings.

page-chat = Chat
page-chat-about = Ask about the rulebooks in the library and watch how the answer is found.
page-rulebooks = Rulebooks
page-rulebooks-about = The documents: add them, read them as trees, search them all.
page-compare = Compare
page-compare-about = What changed between two documents, word by word, and what that touches.
page-limits = Limits
page-limits-about = Every limit and every duty of a rulebook, and sheets of your values against them.
page-check_quotes = Check quotes
page-check_quotes-about = Check every quote and cited article of a text you paste.
page-runs = Runs
page-runs-about = Every run: what was asked and how it was answered. Sets of questions too.
page-settings = Settings
page-settings-about = Current settings, a key for this session, a test of the model.
page-shared = Shared chat

login-about = Your questions and answers are kept under your name. Log in to begin.
login = Log in
login-with = Log in with { $provider }
login-first = Log in first.
login-out = Log out
login-refused = You have logged in, but are not among the people whom Scrutineer lets in here.
person-unnamed = Somebody

settings-language = Language
settings-language-about = For this tab. Rules, quotes and answers stay as they are written.
settings-language-browser = As the browser
settings-model = Model
settings-key-entered = :green[:material/key:] A key that you entered is used, in this session only, with { $server }.
settings-key-forget = Forget this key
settings-key-none = No key is set: Scrutineer works offline and quotes whole sentences. For answers written by Claude, enter a key here or set `ANTHROPIC_API_KEY` in `.env` and restart.
settings-key-set = :material/cloud: Answers are written by a model at { $server }.
settings-key = Key for this session
settings-key-use = Use this key
settings-key-about = A key entered here stays in memory while this tab is open. It is never written to disk, never shown again, and sent only to { $server }.
settings-test = Test the connection
settings-test-about = Two small calls, for at most one cent.
settings-test-offline = There is no connection to test: the offline model needs none.
settings-testing = Asking both models a small question
settings-purpose-decides = Classifies and scores
settings-purpose-answers = Answers
settings-browsers = Where you are logged in
settings-browser = { $browser }, since { $time }
settings-browser-this = This browser
settings-browser-unknown = Unknown browser
settings-browser-end = End
settings-feeds = Feeds
settings-feeds-about = A feed reader shows what new issues change. Its address holds a token that opens feeds and nothing else. The feed of one rule has the address of the rule, then `/feed` and the same `?token=`.
settings-feeds-make = Make an address for a feed reader
settings-feeds-once = :orange[Copy it now: it is not shown again.]
settings-feeds-token = Made { $time }
settings-webhook = Webhook
settings-webhook-works = New issues are posted to the webhook, and none is waiting for it.
settings-strangers = Files from strangers
settings-trying = Trying what a process that reads files can do
settings-current = Current settings
settings-current-about = Change them in the file .env or in the environment, and restart. Environment variables override .env.
settings-only-set = Only what is set
settings-none-set = Nothing is set: all settings have their defaults. For example, put the line SCRUTINEER_MAX_ITERATIONS=5 into .env.
settings-session = this session
