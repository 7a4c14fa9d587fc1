//! Every key of `holm.toml`, in one table: the reader takes from it which keys are known
//! where, and the JSON Schema of the file is made from it, so the two cannot differ.

/// A key of a table.
#[derive(Debug)]
pub(super) struct Entry {
    /// How it is spelled.
    pub(super) name: &'static str,
    /// Another spelling that means the same: the reference's underscore.
    pub(super) alias: Option<&'static str>,
    /// What it says, in one sentence.
    pub(super) about: &'static str,
    /// What its value may be.
    pub(super) shape: Shape,
}

/// What a value may be.
#[derive(Debug)]
pub(super) enum Shape {
    /// `true` or `false`.
    Boolean,
    /// A string.
    Text,
    /// A string that is not empty: the path of a file or folder, relative to the file.
    Path,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A whole number in this range.
    Integer(u64, u64),
    /// Seconds, or a string with a unit.
    Duration,
    /// Bytes, or a string with a unit.
    Size,
    /// A list of such values.
    List(&'static Shape),
    /// A table with these keys and no others.
    Table(&'static [Entry]),
    /// A table whose keys are virtual paths.
    ByPath(&'static Shape),
    /// A table whose keys are names.
    ByName(&'static Shape),
    /// Any of these.
    Either(&'static [Shape]),
}

/// A key with one spelling.
const fn key(name: &'static str, about: &'static str, shape: Shape) -> Entry {
    Entry {
        name,
        alias: None,
        about,
        shape,
    }
}

/// A key that the reference spells with an underscore.
const fn both(name: &'static str, alias: &'static str, about: &'static str, shape: Shape) -> Entry {
    Entry {
        name,
        alias: Some(alias),
        about,
        shape,
    }
}

/// The categories of tools; a test holds them against [`crate::permissions::Category`].
pub(super) const CATEGORIES: [&str; 10] = [
    "memory",
    "fs_read",
    "fs_write",
    "shell",
    "network",
    "index",
    "flow",
    "vfs",
    "eval",
    "synthesised",
];

/// Words of the reference that no tool file can have as its category.
pub(super) const FOREIGN_CATEGORIES: [&str; 2] = ["plugin", "mcp"];

const CATEGORY: Shape = Shape::Words(&CATEGORIES);
const TEXTS: Shape = Shape::List(&Shape::Text);
const COUNT: Shape = Shape::Integer(1, 1 << 20);

/// What a permission may be.
pub(super) const DECISIONS: [&str; 3] = ["ask", "allow", "deny"];
const DECISION: Shape = Shape::Words(&DECISIONS);

const PREFIX: Shape = Shape::Either(&[Shape::Text, Shape::Table(&PREFIX_KEYS)]);

/// A prefix with methods.
pub(super) const PREFIX_KEYS: [Entry; 2] = [
    key("prefix", "The URL prefix.", Shape::Text),
    key(
        "methods",
        "The methods that the prefix is granted for.",
        TEXTS,
    ),
];

const HTTP: Shape = Shape::Either(&[Shape::Words(&["trust-declared"]), Shape::List(&PREFIX)]);

/// The document itself.
pub(super) const ROOT: [Entry; 15] = [
    key(
        "mount",
        "Folders of this machine with tool files, by the virtual path they appear under.",
        Shape::ByPath(&Shape::Path),
    ),
    key(
        "tools",
        "Which tools there are, and what each tool file is given.",
        Shape::Table(&TOOLS),
    ),
    key("limits", "What one call may use.", Shape::Table(&LIMITS)),
    key(
        "permissions",
        "Which calls ask before they run.",
        Shape::Table(&PERMISSIONS),
    ),
    both(
        "url-policy",
        "url_policy",
        "Which values of the argument `url` of a network tool are let through without a question, or refused.",
        Shape::Table(&URL_POLICY),
    ),
    key(
        "user",
        "Who the person at the terminal is.",
        Shape::Table(&USER),
    ),
    key(
        "flocks",
        "Who shares the tools below `/tools/flocks/NAME`, by name of the flock.",
        Shape::ByName(&TEXTS),
    ),
    key(
        "skills",
        "Which tools a skill may see and call, by name of the skill.",
        Shape::ByName(&Shape::Table(&SKILL)),
    ),
    key(
        "principals",
        "Who may call over HTTP, by name.",
        Shape::ByName(&Shape::Table(&PRINCIPAL)),
    ),
    key("serve", "How `holm serve` listens.", Shape::Table(&SERVE)),
    key(
        "concurrency",
        "How many calls run at a time.",
        Shape::Table(&CONCURRENCY),
    ),
    key("audit", "What is kept about calls.", Shape::Table(&AUDIT)),
    key(
        "components",
        "Whose components run.",
        Shape::Table(&COMPONENTS),
    ),
    key(
        "network",
        "Addresses that are not on the public internet.",
        Shape::Table(&NETWORK),
    ),
    key(
        "cache",
        "Where compiled code is kept.",
        Shape::Table(&CACHE),
    ),
];

/// `[tools]`.
pub(super) const TOOLS: [Entry; 9] = [
    key("include", "With a list, only these tools exist.", TEXTS),
    key("exclude", "These tools do not exist.", TEXTS),
    both(
        "exclude-categories",
        "exclude_categories",
        "Nor do tools of these categories.",
        Shape::List(&Shape::Either(&[
            CATEGORY,
            Shape::Words(&FOREIGN_CATEGORIES),
        ])),
    ),
    key(
        "tiers",
        "1: safe modules and a step limit. 2: every module, no step limit.",
        Shape::ByPath(&Shape::Integer(1, 2)),
    ),
    key(
        "http",
        "Which URLs a file's tools may reach.",
        Shape::Table(&HTTP_KEYS),
    ),
    key(
        "env",
        "Which environment variables a file's tools may read.",
        Shape::ByPath(&TEXTS),
    ),
    key(
        "limits",
        "Limits of a file's calls, over those of `[limits]`.",
        Shape::ByPath(&Shape::Table(&LIMITS)),
    ),
    key(
        "state",
        "Whether a file's calls share an instance.",
        Shape::ByPath(&Shape::Words(&STATES)),
    ),
    key(
        "hooks",
        "Which hooks a file may register.",
        Shape::ByPath(&Shape::Either(&[
            Shape::Words(&["all"]),
            Shape::List(&Shape::Words(&HOOKS)),
        ])),
    ),
];

/// The values of `[tools.state]`.
pub(super) const STATES: [&str; 2] = ["fresh", "context"];

/// The hooks that holm runs; a test holds them against [`super::Hook`].
pub(super) const HOOKS: [&str; 9] = [
    "pre_tool",
    "post_tool",
    "pre_tool_output",
    "post_tool_output",
    "pre_fetch_url",
    "pre_file_read",
    "pre_file_write",
    "pre_shell_exec",
    "pre_api_tools",
];

/// `[tools.http]`.
pub(super) const HTTP_KEYS: [Entry; 2] = [
    both(
        "trust-declared",
        "trust_declared",
        "True grants a file that no key of `allow` covers what it declares itself.",
        Shape::Boolean,
    ),
    key(
        "allow",
        "URL prefixes by path, or `trust-declared` for what the file declares.",
        Shape::ByPath(&HTTP),
    ),
];

/// `[limits]`, and the tables of `[tools.limits]`.
pub(super) const LIMITS: [Entry; 8] = [
    key("wall", "Time of a call, waiting included.", Shape::Duration),
    key("cpu", "CPU time of a call.", Shape::Duration),
    key(
        "steps",
        "Scheme steps of a load and of a call, each.",
        Shape::Integer(1, u64::MAX >> 1),
    ),
    key("memory", "Linear memory of an instance.", Shape::Size),
    key(
        "output",
        "Bytes of the result, of stdout and of stderr, each.",
        Shape::Size,
    ),
    key("http-body", "Bytes of one HTTP response.", Shape::Size),
    key(
        "http-send",
        "Bytes of all HTTP request bodies of one call.",
        Shape::Size,
    ),
    key(
        "http-requests",
        "HTTP requests of one call.",
        Shape::Integer(0, u32::MAX as u64),
    ),
];

/// `[permissions]`.
pub(super) const PERMISSIONS: [Entry; 3] = [
    key(
        "categories",
        "What holds for every tool of a category, in place of the built-in rule.",
        Shape::ByName(&DECISION),
    ),
    key(
        "tools",
        "What holds for one tool, whatever its category.",
        Shape::ByName(&DECISION),
    ),
    key(
        "remember",
        "False: the answer `always` counts as a yes to one call.",
        Shape::Boolean,
    ),
];

/// `[url-policy]`.
pub(super) const URL_POLICY: [Entry; 5] = [
    both(
        "deny-override",
        "deny_override",
        "Refused, whatever the other lists say.",
        TEXTS,
    ),
    both(
        "allow-override",
        "allow_override",
        "Let through, unless `deny-override` has it.",
        TEXTS,
    ),
    key("deny", "Refused, unless an override allows it.", TEXTS),
    key("allow", "Let through, unless it is denied.", TEXTS),
    key(
        "default",
        "What holds for the rest; without it, addresses that are not public ask.",
        DECISION,
    ),
];

/// `[user]`.
pub(super) const USER: [Entry; 2] = [
    key(
        "name",
        "Sees `/tools/home/NAME`; tools see it as their caller's name.",
        Shape::Text,
    ),
    key(
        "skill",
        "The skill in force when no other is named.",
        Shape::Text,
    ),
];

/// A table of `[skills]`.
pub(super) const SKILL: [Entry; 5] = [
    key("description", "What the skill is for.", Shape::Text),
    key(
        "tools",
        "The tools of the skill: a list, or names with commas between; `*` is all of them.",
        Shape::Either(&[Shape::Text, TEXTS]),
    ),
    both(
        "requires-tool",
        "requires_tool",
        "More tools of the skill.",
        Shape::Either(&[Shape::Text, TEXTS]),
    ),
    key("deny", "Not these, whatever else is listed.", TEXTS),
    key(
        "file",
        "A skill file: `SKILL.md`, or JSON with tags.",
        Shape::Path,
    ),
];

/// A table of `[principals]`.
pub(super) const PRINCIPAL: [Entry; 8] = [
    key(
        "token-env",
        "The environment variable that holds the bearer token.",
        Shape::Text,
    ),
    key(
        "token-file",
        "The file that holds the bearer token.",
        Shape::Path,
    ),
    key(
        "token-sha256",
        "The SHA-256 of the bearer token, in hexadecimal digits.",
        Shape::Text,
    ),
    key("skill", "The skill in force.", Shape::Text),
    key(
        "limits",
        "Limits over those of the files.",
        Shape::Table(&LIMITS),
    ),
    key(
        "http",
        "In place of `[tools.http.allow]` for the files it covers.",
        Shape::ByPath(&HTTP),
    ),
    key(
        "env",
        "In place of `[tools.env]` for the files it covers.",
        Shape::ByPath(&TEXTS),
    ),
    key("concurrent", "Calls at a time.", COUNT),
];

/// `[serve]`.
pub(super) const SERVE: [Entry; 5] = [
    key(
        "http",
        "The address to listen on, for example `127.0.0.1:8080`; without it, MCP is spoken on stdio.",
        Shape::Text,
    ),
    key(
        "allowed-hosts",
        "Values of the `Host` header that are accepted beside the address itself.",
        TEXTS,
    ),
    key(
        "allowed-origins",
        "Values of the `Origin` header that are accepted.",
        TEXTS,
    ),
    key(
        "shutdown",
        "How long running calls may take to end when the server stops.",
        Shape::Duration,
    ),
    key("page-size", "Tools on one page of the list.", COUNT),
];

/// `[concurrency]`.
pub(super) const CONCURRENCY: [Entry; 3] = [
    key(
        "calls",
        "Calls at a time, of everybody.",
        Shape::Integer(1, 1024),
    ),
    key(
        "per-principal",
        "Calls at a time, of one principal.",
        Shape::Integer(1, 1024),
    ),
    key(
        "waiting",
        "Calls of one principal that may wait for their turn.",
        Shape::Integer(0, 1 << 20),
    ),
];

/// `[audit]`.
pub(super) const AUDIT: [Entry; 2] = [
    key(
        "log",
        "The file that a record of every call is added to.",
        Shape::Path,
    ),
    key(
        "require-lock",
        "True refuses to run what `holm.lock` does not describe.",
        Shape::Boolean,
    ),
];

/// `[components]`.
pub(super) const COMPONENTS: [Entry; 1] = [both(
    "trusted-keys",
    "trusted_keys",
    "Public keys: with a list, a component has to be signed by one of them.",
    TEXTS,
)];

/// `[network]`.
pub(super) const NETWORK: [Entry; 2] = [
    key(
        "private",
        "Ranges of addresses that a granted name may resolve to although they are not public.",
        TEXTS,
    ),
    key(
        "extra-ca",
        "Files (PEM) with certificate authorities that are trusted beside Mozilla's.",
        Shape::List(&Shape::Path),
    ),
];

/// `[cache]`.
pub(super) const CACHE: [Entry; 1] = [key("dir", "The folder.", Shape::Path)];
