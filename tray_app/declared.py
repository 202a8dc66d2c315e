"""Every setting, declared once: type, default, range, group, label, help.

The file (TOML), the dialog, `backscroll config` and the documentation all come from `DECLARED`. Owns no value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Setting:
    """One setting. `kind` is bool, int, float, str or list (of str). `rebuild` says that a change re-reads sessions; `form`
    what each text of a list must match, and is shown to who gave another."""

    key: str
    kind: type
    default: Any
    group: str
    label: str
    help: str
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()
    rebuild: bool = False
    form: str = ""


EXCLUDED_PATHS = (".env", "*.pem", "*.key", "id_rsa*", "id_ed25519*", "*credentials*", "*/.ssh/*", "*/.gnupg/*", "*/.aws/*")

_CHATS = "(wechat|weixin|wecom|feishu|lark|slack|telegram|discord|qq|onebot|dingtalk|matrix|whatsapp)"
CHAT_TOOLS = (
    f"send:*{_CHATS}*(send|reply|post?message|message?create)*",
    f"receive:*{_CHATS}*(get|list|read|fetch|receive|poll|search|wait)*(message|msg|repl|chat)*",
    f"receive:*{_CHATS}*(history|message?list|unread|inbox)*",
    "send:*mail*(send|reply)*",
    "send:*(send|reply)*mail*",
    "receive:*mail*(read|get|fetch|search|list)*(mail|message|thread|inbox)*",
)

MOVED = r"[^=].*=(?:/|~|[A-Za-z]:[\\/]|\\\\).*"

WEB = r"(https?://\S+)?"

DECLARED: tuple[Setting, ...] = (
    Setting(
        "general.language", str, "system", "General", "Language", "Language of the windows.", choices=("system", "en", "zh_CN")
    ),
    Setting(
        "general.theme",
        str,
        "system",
        "General",
        "Theme",
        "Light or dark, or as the system says.",
        choices=("system", "light", "dark"),
    ),
    Setting(
        "general.hotkey",
        str,
        "Ctrl+Alt+Space",
        "General",
        "Hotkey",
        "Opens and hides the search window from anywhere. Empty: none.",
    ),
    Setting(
        "general.window_form",
        str,
        "full",
        "General",
        "Window opens as",
        "One line that grows while you type, or the full window.",
        choices=("line", "full"),
    ),
    Setting(
        "general.tray_icon",
        str,
        "auto",
        "General",
        "Tray icon",
        "Which panel the tray icon is drawn for.",
        choices=("auto", "light", "dark"),
    ),
    Setting(
        "general.hide_on_blur",
        bool,
        False,
        "General",
        "Hide when it loses focus",
        "Hide the search window when you click elsewhere.",
    ),
    Setting(
        "general.paste",
        bool,
        False,
        "General",
        "Paste for me",
        "Into the window you came from, after copying into the chat. X11 only.",
    ),
    Setting("sources.enabled", list, [], "Sources", "Sources", "Sources that are read. Only these."),
    Setting("sources.folders", list, [], "Sources", "Further folders", "Folders added by hand, as agent=path."),
    Setting(
        "sources.bridges",
        list,
        list(CHAT_TOOLS),
        "Sources",
        "Chat tools",
        "Tools by which an agent talks with people, as send:NAME or receive:NAME, where * is any text and ? any letter; read as talk.",
        rebuild=True,
        form=r"(send|receive):\S+",
    ),
    Setting(
        "index.days",
        int,
        0,
        "Index",
        "Days back",
        "How far back sessions are read, in days. 0: everything.",
        minimum=0,
        maximum=3650,
        rebuild=True,
    ),
    Setting(
        "index.chunks_per_source",
        int,
        200_000,
        "Index",
        "Passages per source",
        "The newest are kept; what was cut is counted.",
        minimum=1_000,
        maximum=2_000_000,
        rebuild=True,
    ),
    Setting(
        "index.chunks_total",
        int,
        500_000,
        "Index",
        "Passages in all",
        "The newest are kept; what was cut is counted.",
        minimum=1_000,
        maximum=5_000_000,
        rebuild=True,
    ),
    Setting(
        "index.file_megabytes",
        int,
        16,
        "Index",
        "Text per session file",
        "Megabytes of text read from one file, newest first.",
        minimum=1,
        maximum=512,
        rebuild=True,
    ),
    Setting(
        "index.tools",
        bool,
        True,
        "Index",
        "Tool calls and results",
        "Make what tools were asked and answered findable.",
        rebuild=True,
    ),
    Setting("index.reasoning", bool, False, "Index", "Reasoning", "Make the model's reasoning findable.", rebuild=True),
    Setting("index.watch", bool, True, "Index", "Watch for new talk", "Read new messages as they are written."),
    Setting(
        "index.sweep_minutes",
        int,
        30,
        "Index",
        "Sweep every",
        "Minutes between whole passes behind the watch.",
        minimum=1,
        maximum=1_440,
    ),
    Setting(
        "privacy.excluded_paths",
        list,
        list(EXCLUDED_PATHS),
        "Privacy",
        "Excluded paths",
        "Files whose text is never indexed.",
        rebuild=True,
    ),
    Setting(
        "privacy.excluded_workspaces",
        list,
        [],
        "Privacy",
        "Excluded folders",
        "Sessions in these folders are not read.",
        rebuild=True,
    ),
    Setting(
        "privacy.redact",
        bool,
        True,
        "Privacy",
        "Hide secrets",
        "Replace keys and passwords before anything is stored.",
        rebuild=True,
    ),
    Setting("keep.gone", bool, False, "Keep", "Keep deleted sessions", "What agents delete stays in the index, marked."),
    Setting(
        "keep.archive", bool, False, "Keep", "Copy session files", "As they are, secrets too, before their agents delete them."
    ),
    Setting("keep.archive_after_days", int, 3, "Keep", "Copy after", "Idle days of a session file.", minimum=0, maximum=365),
    Setting(
        "projects.moved", list, [], "Projects", "Moved projects", "As OLD=NEW: what OLD held is shown under NEW.", form=MOVED
    ),
    Setting(
        "projects.root", str, "", "Projects", "Projects folder", "Its folders are the projects. Empty: Documents/Projects."
    ),
    Setting(
        "projects.card_file",
        str,
        "data",
        "Projects",
        "Card as a file",
        "Where the hand-over card is also written as markdown.",
        choices=("project", "data", "nowhere"),
    ),
    Setting("memory.archive", bool, True, "Memory", "Archive finished sessions", "Summarise them and draft a checkpoint."),
    Setting("memory.idle_minutes", int, 5, "Memory", "Finished after", "Idle minutes of a session.", minimum=1, maximum=1_440),
    Setting("memory.pack_tokens", int, 2_000, "Memory", "Size of the pack", "Tokens, at most.", minimum=200, maximum=50_000),
    Setting("memory.changelogs", bool, True, "Memory", "Take in changelogs", "Entries that carry a conclusion, daily."),
    Setting(
        "memory.session_days_with_checkpoint",
        int,
        30,
        "Memory",
        "Session summaries, with a checkpoint",
        "Days until a clean-up archives them.",
        minimum=1,
        maximum=3_650,
    ),
    Setting(
        "memory.session_days",
        int,
        90,
        "Memory",
        "Session summaries",
        "Days until a clean-up archives them.",
        minimum=1,
        maximum=3_650,
    ),
    Setting("memory.keep_cards", int, 3, "Memory", "Earlier cards", "Kept for each project.", minimum=0, maximum=100),
    Setting(
        "memory.keep_checkpoints", int, 5, "Memory", "Earlier checkpoints", "Kept for each project.", minimum=0, maximum=100
    ),
    Setting(
        "memory.draft_days",
        int,
        7,
        "Memory",
        "Drafts",
        "Days until a clean-up archives what nobody confirmed.",
        minimum=1,
        maximum=365,
    ),
    Setting(
        "memory.unused_days",
        int,
        90,
        "Memory",
        "Unused memories",
        "Days until a clean-up reports them.",
        minimum=1,
        maximum=3_650,
    ),
    Setting(
        "memory.purge_days",
        int,
        180,
        "Memory",
        "Archived memories",
        "Days until --purge may delete them.",
        minimum=1,
        maximum=3_650,
    ),
    Setting(
        "agents.pointer",
        bool,
        True,
        "Agents",
        "Point agents to the pack",
        "One line at the first prompt of a session, where the hook is installed.",
    ),
    Setting("search.limit", int, 50, "Search", "Results", "Passages shown for a question.", minimum=5, maximum=200),
    Setting(
        "meaning.backend",
        str,
        "builtin",
        "Meaning",
        "Find by meaning",
        "builtin works at once on this machine; fastembed takes a model of your choice; ollama and openai ask a service.",
        choices=("off", "builtin", "fastembed", "ollama", "openai"),
    ),
    Setting("meaning.model", str, "", "Meaning", "Model", "Name of the model, or a folder that holds one (fastembed)."),
    Setting(
        "meaning.url",
        str,
        "",
        "Meaning",
        "Address",
        "Of the service: an OpenAI-compatible one up to /v1, or Ollama's (this machine's when empty).",
        form=WEB,
    ),
    Setting(
        "meaning.dims",
        int,
        0,
        "Meaning",
        "Length of vectors",
        "Asked of services that can shorten them. 0: as the model gives them.",
        minimum=0,
        maximum=8_192,
    ),
    Setting(
        "meaning.mirror", str, "", "Meaning", "Mirror", "Where models are downloaded from, instead of huggingface.co.", form=WEB
    ),
    Setting("meaning.background", bool, True, "Meaning", "Fill in the background", "Make vectors of what has none yet."),
    Setting(
        "meaning.share",
        float,
        0.4,
        "Meaning",
        "Share of meaning",
        "What meaning counts beside words when results are ranked.",
        minimum=0.0,
        maximum=1.0,
    ),
    Setting(
        "topics.maker",
        str,
        "words",
        "Topics",
        "Topics of a day",
        "words extracts them on this machine; ollama and openai let a chat model name them.",
        choices=("off", "words", "ollama", "openai"),
    ),
    Setting("topics.model", str, "", "Topics", "Chat model", "Name of the model that names topics."),
    Setting("topics.url", str, "", "Topics", "Address", "Of the chat service, as for meaning.", form=WEB),
    Setting(
        "search.found_share",
        float,
        0.75,
        "Search",
        "Sure from",
        "Share of the question's words (rare ones count more) that one passage must hold to call it found.",
        minimum=0.3,
        maximum=1.0,
    ),
    Setting(
        "search.found_evidence",
        float,
        0.5,
        "Search",
        "Sure from, with meaning",
        "Evidence of words, meaning and time together that calls a passage found. 1 is plenty; more: words alone decide.",
        minimum=0.3,
        maximum=2.0,
    ),
)
