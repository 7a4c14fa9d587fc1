//! One attack after the other, with an honest call and a count of what is held after each.

use std::time::Duration;

use holm::egress::{Journal, MAX_DENIALS};
use holm::limits::Limits;
use holm::sandbox::{Failure, Limit, Outcome};

use crate::guests::*;
use crate::servers::{Answer, Server};

/// How an attack must end.
enum End {
    /// With the number that its guest gives, see `prelude.wat`.
    Number(u32),
    /// With one of these.
    OneOf(&'static [u32]),
    /// At this limit, with this text for the model.
    Limit(Limit, &'static str),
    /// At the wall clock, or with one of these a moment before: the request's own deadline is
    /// the same, and either may be looked at first.
    Wall(&'static [u32]),
    /// By breaking off.
    Trap,
    /// With an answer that is none, and an error with this in it.
    Host(&'static str),
}

struct Attack {
    guest: &'static str,
    /// Method, path, and a header's name and value.
    lines: (&'static str, &'static str, &'static str),
    /// Put in place of the server's authority, where `{}` stands for it.
    authority: &'static str,
    answer: Answer,
    limits: Limits,
    end: End,
    /// Heads that the server may see.
    requests: usize,
}

impl Attack {
    fn new(guest: &'static str, answer: Answer, end: End) -> Self {
        Self {
            guest,
            lines: ("GET", "/v1/x", ""),
            authority: "{}",
            answer,
            limits: limits(),
            end,
            requests: 1,
        }
    }

    /// A request that must not get out.
    fn refused(method: &'static str, authority: &'static str, path: &'static str) -> Self {
        Self {
            lines: (method, path, ""),
            authority,
            requests: 0,
            // Denied by holm, or not taken by the guest's own setters.
            ..Self::new("request", Answer::Ok, End::OneOf(&[1015, 2015, 4001, 4002]))
        }
    }

    fn with_header(self, header: &'static str) -> Self {
        Self {
            lines: (self.lines.0, self.lines.1, header),
            ..self
        }
    }

    fn requests(self, requests: usize) -> Self {
        Self { requests, ..self }
    }

    fn limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }
}

const CPU: End = End::Limit(Limit::Cpu, "error: CPU time limit exceeded (0.5 s)");
/// `HTTP-response-timeout`, of the response or of its body.
const WALL: End = End::Wall(&[2033, 5033]);

/// Less time, for what only waits.
fn brief() -> Limits {
    Limits {
        wall: Duration::from_millis(500),
        ..limits()
    }
}

fn attacks() -> Vec<Attack> {
    let mut all = vec![
        // The guest does speak HTTP: otherwise nothing below would say anything.
        Attack::new("request", Answer::Ok, End::Number(3200)),
        // An absolute URL in the place of the path; whoever takes it goes elsewhere.
        Attack::refused("GET", "{}", "http://evil.example/v1/x"),
        Attack::refused("GET", "{}", "//evil.example/v1/x"),
        Attack::refused("GET", "{}", "/v1/../v2/x"),
        Attack::refused("GET", "{}", "/v1/..%2fx"),
        Attack::refused("GET", "{}", "*"),
        Attack::refused("GET", "{}", "/v1/x y"),
        Attack::refused("GET", "{}", "/v1/x\r\nhost: evil.example"),
        Attack::refused("GET", "{}@evil.example", "/v1/x"),
        Attack::refused("GET", "evil.example@{}", "/v1/x"),
        Attack::refused("GET", "127.0.0.1:", "/v1/x"),
        Attack::refused("GET", "127.0.0.1:x", "/v1/x"),
        Attack::refused("GET", "127.0.0.1:99999", "/v1/x"),
        Attack::refused("GET", "{}.", "/v1/x"),
        Attack::refused("GET", "{}/", "/v1/x"),
        Attack::refused("GET", "{}\\@evil.example", "/v1/x"),
        Attack::refused("GET", "2130706433", "/v1/x"),
        Attack::refused("GET", "[::ffff:127.0.0.1]", "/v1/x"),
        Attack::refused("GET", "", "/v1/x"),
        // Other spellings of the same place, none of which is the granted one to every reader.
        Attack::refused("GET", "{}", "/V1/x"),
        Attack::refused("GET", "{}", "/v1"),
        Attack::refused("GET", "{}", "/v1evil"),
        Attack::refused("GET", "{}", "/%76%31/x"),
        Attack::refused("GET", "{}", "/v1/..;/v2/x"),
        Attack::refused("GET", "{}", "/v1/..;x=1/v2/x"),
        Attack::refused("GET", "{}", "/v1/%2e%2e;/v2/x"),
        Attack::refused("GET", "{}", "/v1;/../v2/x"),
        Attack::refused("GET", "{}", "/;/v1/x"),
        Attack::refused("GET", "{}", "//v1/x"),
        Attack::refused("GET", "{}", "/v1//x"),
        Attack::refused("GET", "{}", "/v1/\\..\\v2\\x"),
        Attack::refused("GET", "{}", "\\v1\\x"),
        Attack::refused("GET", "{}", "/v1/%5c..%5cv2"),
        Attack::refused("GET", "{}", "/v1/%252e%252e/v2/x"),
        Attack::refused("GET", "{}", "/v1/%c0%ae%c0%ae/v2/x"),
        Attack::refused("GET", "{}", "/v1/%ef%bc%8e%ef%bc%8e/v2/x"),
        Attack::refused("GET", "{}", "/v1/\u{ff0e}\u{ff0e}/v2/x"),
        Attack::refused("GET", "{}", "/v1/x#/../v2"),
        Attack::refused("GET", "{}", "/v1/\u{0}x"),
        Attack::refused("GET", "{}", "?/v1/x"),
        Attack::refused("GET", "{}", ""),
        Attack::refused("GET", "127.0.0.1", "/v1/x"),
        Attack::refused("GET", "localhost", "/v1/x"),
        Attack::refused("GET", "127.0.0.1:80", "/v1/x"),
        Attack::refused("GET", "127.1", "/v1/x"),
        Attack::refused("GET", "0x7f000001", "/v1/x"),
        Attack::refused("GET", "[::1]", "/v1/x"),
        Attack::refused("GET", "[fe80::1%25lo]", "/v1/x"),
        Attack::refused("GET", "[64:ff9b::7f00:1]", "/v1/x"),
        Attack::refused("GET", "\u{ff11}27.0.0.1", "/v1/x"),
        Attack::refused("GET", "xn--127.0.0.1", "/v1/x"),
        Attack::refused("GET", "{},evil.example", "/v1/x"),
        Attack::refused("GET", "{} evil.example", "/v1/x"),
        Attack::refused("GET", "{}\r\nhost: evil.example", "/v1/x"),
        Attack::refused("GET", "{}#@evil.example", "/v1/x"),
        Attack::refused("GET", "{}?@evil.example", "/v1/x"),
        Attack::refused("PRI", "{}", "/v1/x"),
        Attack::refused("get", "{}", "/v1/x"),
        Attack::refused("", "{}", "/v1/x"),
        Attack::refused("CONNECT", "{}", "/v1/x"),
        Attack::refused("TRACE", "{}", "/v1/x"),
        Attack::refused(
            "GET /v1/x HTTP/1.1\r\nhost: evil.example\r\nx:",
            "{}",
            "/v1/x",
        ),
    ];
    for header in [
        "host|evil.example",
        "Host|evil.example",
        "transfer-encoding|chunked",
        "connection|close",
        "proxy-authorization|x",
        "x-rewrite-url|/v2/x",
        "x\r\nhost|evil.example",
        "x|1\r\nhost: evil.example",
        "x|1\nhost: evil.example",
        ":authority|evil.example",
        ":path|/v2/x",
        ":method|DELETE",
        "upgrade|h2c",
        "http2-settings|AAMAAABkAAQAAP__",
        "te|trailers",
        "trailer|host",
        "expect|100-continue",
        "keep-alive|timeout=1000",
        "x_original_url|/v2/x",
        "x-forwarded-host|evil.example",
        "forwarded|host=evil.example",
        "transfer_encoding|chunked",
        "content-length|1|content-length|2",
        "content-length|-1",
    ] {
        all.push(Attack::refused("GET", "{}", "/v1/x").with_header(header));
        // And once more by a guest that goes on although a part of it was not taken.
        let mut insists = Attack::new("insists", Answer::Ok, End::Number(3200));
        insists.lines.2 = header;
        if header.starts_with("content-length|1") {
            // The first length was taken, and there is no body of that length.
            insists.end = End::Number(1017);
            insists.requests = 0;
        }
        all.push(insists);
    }
    let many = "error: http request header limit exceeded (128 KiB)";
    let handles = "error: resource handle limit exceeded (1000)";
    all.extend([
        Attack::new("headers", Answer::Ok, End::Limit(Limit::HttpHeaders, many)).requests(0),
        Attack::new("body_out", Answer::Swallow, WALL).limits(Limits {
            cpu: Duration::from_secs(20),
            http_send: u64::MAX,
            ..brief()
        }),
        // `HTTP-request-body-size`, although no length was announced.
        Attack::new("body_out", Answer::Swallow, End::Number(2017)).limits(Limits {
            http_send: 100_000,
            ..limits()
        }),
        Attack::new("output", Answer::Ok, End::Number(9000)).requests(0),
        Attack::new("garbage", Answer::Ok, End::Host("utf-8")).requests(0),
        Attack::new("outside", Answer::Ok, End::Host("")).requests(0),
        Attack::new("reports", Answer::Ok, End::Number(8000))
            .limits(Limits {
                cpu: Duration::from_secs(20),
                ..limits()
            })
            .requests(0),
        Attack::new("request", Answer::Drip, WALL).limits(brief()),
        Attack::new("request", Answer::Silence, WALL).limits(brief()),
        // `HTTP-response-body-size`, although the body's length was not announced.
        Attack::new("request", Answer::Endless, End::Number(5028)).limits(Limits {
            http_body: 100_000,
            ..limits()
        }),
        // `connection-timeout`, and not a panic of the host.
        Attack::new("no_time", Answer::Silence, End::Number(2008)).requests(0),
        Attack::new("all_time", Answer::Silence, WALL).limits(brief()),
        Attack::new("handles", Answer::Ok, End::Limit(Limit::Handles, handles)).requests(0),
        Attack::new("memory", Answer::Ok, {
            End::Limit(Limit::Memory, "error: memory limit exceeded (64 MiB)")
        })
        .requests(0),
        Attack::new("spin", Answer::Ok, CPU).requests(0),
        Attack::new("spin_in_host", Answer::Ok, CPU).requests(0),
        Attack::new("random", Answer::Ok, {
            End::Limit(Limit::Random, "error: random data limit exceeded (64 KiB)")
        })
        .requests(0),
        Attack::new("transfer", Answer::Ok, {
            End::Limit(
                Limit::Transfer,
                "error: host transfer limit exceeded (32 MiB)",
            )
        })
        .requests(0),
        Attack::new("recursion", Answer::Ok, {
            End::Limit(Limit::Stack, "error: stack limit exceeded")
        })
        .requests(0),
        Attack::new("sleep", Answer::Ok, WALL)
            .limits(brief())
            .requests(0),
        Attack::new("trap", Answer::Drip, End::Trap),
        Attack::new("abandon", Answer::Silence, End::Number(7000)),
    ]);
    // 5,000 refusals in one call hold nothing.
    let mut refused = Attack::new("refused", Answer::Ok, End::Number(5000)).requests(0);
    refused.lines.1 = "/v1/../x";
    refused.limits.cpu = Duration::from_secs(20);
    refused.limits.wall = Duration::from_secs(60);
    all.push(refused);
    for attack in &mut all {
        // A `GET` has no body to go on with.
        if attack.guest == "body_out" {
            attack.lines.0 = "POST";
        }
    }
    all
}

/// What the process holds that a call could have left behind.
#[derive(Debug, PartialEq, Eq, Clone)]
struct Held {
    instances: Option<u64>,
    tasks: usize,
    /// What each open file descriptor is of, sorted.
    files: Vec<String>,
    /// File descriptors with the first pages of a component: one for each that was instantiated, for
    /// as long as the component is there, or its place in the pool is not used again.
    images: usize,
    idle: usize,
}

impl Held {
    fn now() -> Self {
        let folder = std::fs::read_dir("/proc/self/fd");
        let files = folder.into_iter().flatten().flatten();
        // The folder itself is open while it is read, and gone when it is asked about.
        let mut files: Vec<String> = files
            .filter_map(|file| std::fs::read_link(file.path()).ok())
            .map(|file| file.to_string_lossy().into_owned())
            .collect();
        let all = files.len();
        files.retain(|file| !file.contains("wasm-memory-image"));
        let images = all - files.len();
        files.sort();
        Self {
            instances: SANDBOX.instances(),
            tasks: tokio::runtime::Handle::current()
                .metrics()
                .num_alive_tasks(),
            files,
            images,
            idle: CLIENT.idle(),
        }
    }

    /// Waits until exactly as much is held as before, with so many components more at most; the last
    /// of a connection takes a moment.
    async fn settles(mut self, new: usize, what: &str) {
        self.images += new;
        for _ in 0..500 {
            CLIENT.close_idle();
            let now = Self::now();
            // Fewer of earlier components is no leak.
            let images = now.images.max(self.images);
            if (Self { images, ..now }) == self {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let now = Self::now();
        panic!("{what} left something behind: {self:#?} before, {now:#?} after");
    }
}

async fn assert_honest_call() {
    let loaded = honest().await;
    let outcome = call(
        &SANDBOX,
        Asked {
            loaded: &loaded,
            tool: "add",
            arguments: "{}",
            grants: &grants("http://127.0.0.1:1/"),
            limits: &Limits::default(),
            principal: "honest",
            journal: &Journal::new(),
        },
    )
    .await
    .unwrap();
    assert_eq!((outcome.result.as_str(), outcome.limit), ("10", None));
}

fn assert_end(what: &str, end: &End, got: &Result<Outcome, Failure>) {
    let number = |outcome: &Outcome| outcome.result.parse::<u32>().ok();
    let right = match (end, got) {
        (End::Number(expected), Ok(outcome)) => number(outcome) == Some(*expected),
        (End::OneOf(expected), Ok(outcome)) => {
            number(outcome).is_some_and(|number| expected.contains(&number))
        }
        (End::Limit(limit, text), Ok(outcome)) => {
            outcome.result == *text
                && outcome
                    .limit
                    .as_ref()
                    .is_some_and(|reached| reached.limit == *limit)
        }
        (End::Wall(numbers), Ok(outcome)) => match &outcome.limit {
            Some(reached) => {
                reached.limit == Limit::Wall
                    && outcome.result == "error: evaluation timed out (0.5 s)"
            }
            None => number(outcome).is_some_and(|number| numbers.contains(&number)),
        },
        (End::Trap, Err(Failure::Trap(_))) => true,
        (End::Host(text), Err(Failure::Host(error))) => error.contains(text),
        _ => false,
    };
    assert!(right, "{what} ended otherwise: {got:?}");
}

/// Whatever the attacker wrote into the record of its call, it is little and on lines of holm's.
fn assert_bounded(what: &str, journal: &Journal) {
    let denials = journal.denials();
    assert!(denials.len() <= MAX_DENIALS, "{what}");
    for denial in denials {
        let text = format!("{denial:?} {denial} {}", denial.to_json());
        assert!(!text.contains('\n'), "{what}: {text}");
        assert!(text.len() < 8192, "{what}: {text}");
    }
}

#[test]
fn every_attack_ends_in_its_error_and_leaves_nothing_behind() {
    alone(async {
        let loaded = honest().await;
        assert_honest_call().await;
        // What other tests left to be used again, and what is opened once.
        CLIENT.close_idle();
        tokio::time::sleep(Duration::from_millis(200)).await;
        let first = Held::now();
        let mut sandboxes = std::collections::HashMap::new();
        for attack in attacks() {
            let new = usize::from(!sandboxes.contains_key(attack.guest));
            let (method, path, header) = attack.lines;
            let what = format!(
                "{} {method} {} {path} {header:?}",
                attack.guest, attack.authority
            );
            let sandbox = sandboxes
                .entry(attack.guest)
                .or_insert_with(|| sandbox_of(attack.guest));
            let before = Held::now();
            let server = Server::start(attack.answer).await;
            let authority = attack.authority.replace("{}", &server.authority());
            let arguments = format!("{method}|http|{authority}|{path}|{header}");
            let journal = Journal::new();
            let outcome = call(
                sandbox,
                Asked {
                    loaded: &loaded,
                    tool: "attack",
                    arguments: &arguments,
                    grants: &grants(&server.rule()),
                    limits: &attack.limits,
                    principal: "attacker",
                    journal: &journal,
                },
            )
            .await;
            assert_end(&what, &attack.end, &outcome);
            assert!(journal.entries().usage.is_some(), "{what}");
            let heads = server.heads();
            if attack.guest != "abandon" {
                assert_eq!(heads.len(), attack.requests, "{what}: {heads:?}");
            }
            for head in heads {
                let fields: Vec<&str> = head.split("\r\n").collect();
                let target = fields[0].split(' ').nth(1).unwrap();
                assert!(target.starts_with("/v1/"), "{what}: {head}");
                let hosts: Vec<&&str> = fields
                    .iter()
                    .filter(|field| field.to_lowercase().starts_with("host:"))
                    .collect();
                assert_eq!(hosts, [&format!("host: {}", server.authority())], "{what}");
            }
            assert_bounded(&what, &journal);
            if let Ok(outcome) = &outcome {
                for text in [&outcome.stdout, &outcome.stderr] {
                    let most = attack.limits.output as usize + 200;
                    assert!(text.len() <= most, "{what}: {} bytes", text.len());
                }
            }
            if matches!(&attack.end, End::OneOf(_))
                && matches!(outcome.unwrap().result.as_str(), "1015" | "2015")
            {
                assert_eq!(
                    journal.denials().len(),
                    1,
                    "{what}: a refusal that nobody hears of"
                );
            }
            server.stop().await;
            before.clone().settles(new, &what).await;
            assert_honest_call().await;
            before.settles(new, "an honest call").await;
        }
        first.settles(sandboxes.len(), "all of them together").await;
    });
}

#[test]
fn a_guest_that_imports_what_nobody_is_granted_does_not_start() {
    let error = SANDBOX
        .with_guest(&component("ungranted"), EVERYTHING)
        .err();
    let text = error.unwrap().to_string();
    assert!(
        text.contains("wasi:sockets/") || text.contains("wasi:filesystem/"),
        "{text}"
    );
    // What is granted to some and not to this one is no different.
    let narrow = holm::sandbox::Capabilities {
        http: false,
        environment: true,
    };
    let error = SANDBOX.with_guest(&component("request"), narrow).err();
    let text = error.unwrap().to_string();
    assert!(
        text.contains("wasi:http/") || text.contains("wasi:io/"),
        "{text}"
    );
}
