//! `holm serve`: MCP over stdio or HTTP.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use super::session::Session;
use super::{ExitStatus, Global, Printer};
use crate::config::{Config, Principal, TokenSource};
use crate::diagnostic::Diagnostic;
use crate::mcp::http::{self, Gate, SHORT_TOKEN, Server, TokenDigest, Who};
use crate::mcp::{self, DEFAULT_PAGE, DEFAULT_SHUTDOWN, Host, Metrics, Served};
use crate::registry::{LiveRegistry, WATCH_INTERVAL};

/// Serves tools over MCP.
#[derive(Debug, clap::Args)]
pub(super) struct Serve {
    /// Listen on this address, such as 127.0.0.1:8080, instead of speaking on stdio; port 0
    /// takes a free one and prints it
    #[arg(long, value_name = "ADDR")]
    http: Option<SocketAddr>,
    /// Speak on stdio although the configuration has an address
    #[arg(long, conflicts_with = "http")]
    stdio: bool,
    /// A tool file to load beside the mounted ones
    #[arg(long = "file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// What the client on stdio sees: a name under `[skills]`, or a skill file
    #[arg(long, value_name = "SKILL")]
    skill: Option<String>,
    /// Add a record of every call to this file
    #[arg(long, value_name = "FILE")]
    audit_log: Option<PathBuf>,
}

impl Serve {
    /// Runs the command, until the client goes away or the process is asked to end.
    pub(super) fn run(
        &self,
        global: &Global,
        printer: &Printer,
    ) -> Result<ExitStatus, Vec<Diagnostic>> {
        let session = Session::open_server(global, printer)?;
        let config = Arc::clone(&session.config);
        let address = match self.stdio {
            true => None,
            false => self.http.or(config.serve.http),
        };
        let who = self.who(&session, address, printer)?;
        let log = Arc::new(session.call_log(self.audit_log.as_deref())?);
        let tools = session.load_live(self.files.clone());
        for problem in tools.current().diagnostics() {
            printer.brief(problem);
        }
        session.require_lock(&tools.current())?;
        let report: Arc<dyn Fn(&Diagnostic) + Send + Sync> = {
            let printer = printer.clone();
            Arc::new(move |problem| printer.brief(problem))
        };
        let host = Arc::new(Host {
            tools: Arc::clone(&tools),
            config: Arc::clone(&config),
            log,
            metrics: Metrics::default(),
            page: config
                .serve
                .page_size
                .and_then(|size| usize::try_from(size).ok())
                .unwrap_or(DEFAULT_PAGE),
            draining: CancellationToken::new(),
            stopping: CancellationToken::new(),
            report,
        });
        let bound = config.serve.shutdown.unwrap_or(DEFAULT_SHUTDOWN);
        let ended = session.runtime.block_on(async {
            // What the lock does not describe must not come in by a reload.
            let watching = (!config.audit.require_lock).then(|| watch(&tools, &host, printer));
            let ended = match address {
                None => stdio(who, &host, bound).await,
                Some(address) => {
                    self.listen(address, who, &host, &config, bound, printer)
                        .await
                }
            };
            if let Some(watching) = watching {
                watching.abort();
            }
            ended
        });
        // Reading standard input cannot be interrupted, and a stopped instance may take a moment.
        session.runtime.shutdown_timeout(Duration::from_millis(200));
        ended.map(|()| ExitStatus::Success)
    }

    /// Who is served.
    fn who(
        &self,
        session: &Session,
        address: Option<SocketAddr>,
        printer: &Printer,
    ) -> Result<Who, Vec<Diagnostic>> {
        let config = &session.config;
        let skill = self.skill.as_deref().or(config.user.skill.as_deref());
        let local = || {
            let skill = skill.map(|name| session.skill(name)).transpose();
            skill
                .map(|skill| Arc::new(Served::local(config, skill, address.is_none())))
                .map_err(|problem| vec![problem])
        };
        let Some(address) = address else {
            return Ok(Who::Anyone(local()?));
        };
        if config.principals.is_empty() {
            if !http::is_private(address) {
                let message = format!(
                    "{address} can be reached from other machines, and there is nobody to tell apart"
                );
                let problem = Diagnostic::error(message);
                return Err(vec![problem.hint(
                    "give each client a token under `[principals.NAME]`, or listen on 127.0.0.1",
                )]);
            }
            printer.note(
                "anyone on this machine can call: there are no `[principals]` in the configuration",
            );
            return Ok(Who::Anyone(local()?));
        }
        if self.skill.is_some() {
            let problem = Diagnostic::error("`--skill` is for the one client on stdio");
            return Err(vec![problem.hint(
                "give each principal its own `skill` under `[principals.NAME]`",
            )]);
        }
        let mut owners = Vec::new();
        let mut problems = Vec::new();
        for principal in &config.principals {
            match owner(session, principal, printer) {
                Ok((digest, served)) => {
                    if let Some((_, other)) = owners
                        .iter()
                        .find(|(known, _): &&(TokenDigest, Arc<Served>)| *known == digest)
                    {
                        let message = format!(
                            "the principals `{}` and `{}` have one token",
                            other.name, principal.name
                        );
                        problems.push(Diagnostic::error(message).place(principal.place.clone()));
                    }
                    owners.push((digest, served));
                }
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() {
            Ok(Who::Owners(owners))
        } else {
            Err(problems)
        }
    }

    async fn listen(
        &self,
        address: SocketAddr,
        who: Who,
        host: &Arc<Host>,
        config: &Config,
        bound: Duration,
        printer: &Printer,
    ) -> Result<(), Vec<Diagnostic>> {
        let cannot = |error: std::io::Error| {
            let problem = Diagnostic::error(format!("cannot listen on {address}: {error}"));
            vec![problem.hint("choose another address or port with `--http`")]
        };
        let listener = TcpListener::bind(address).await.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let gate = Gate::new(
            address,
            &config.serve.allowed_hosts,
            &config.serve.allowed_origins,
        );
        let server = Server::new(Arc::clone(host), gate, who);
        // Where scripts look for the port that `:0` has become.
        printer.note(&format!("listening on http://{address}{}", http::PATH));
        server.run(listener, asked_to_end(), bound).await;
        Ok(())
    }
}

/// A principal and the digest of its token.
fn owner(
    session: &Session,
    principal: &Principal,
    printer: &Printer,
) -> Result<(TokenDigest, Arc<Served>), Diagnostic> {
    let wrong = |message: String, hint: &str| {
        Diagnostic::error(format!("`{}`: {message}", principal.key))
            .place(principal.place.clone())
            .hint(hint)
    };
    let token = match &principal.token {
        TokenSource::Sha256(digest) => Err(TokenDigest::from_bytes(*digest)),
        TokenSource::Env(name) => Ok(std::env::var(name).map_err(|_| {
            wrong(
                format!("the variable {name} with its token is not set"),
                "set it for the server, or name another with `token-env`",
            )
        })?),
        TokenSource::File(file) => Ok(std::fs::read_to_string(file).map_err(|error| {
            wrong(
                format!(
                    "the file {} with its token cannot be read: {error}",
                    file.display()
                ),
                "name a file that holds the token alone with `token-file`",
            )
        })?),
    };
    let digest = match token {
        Err(digest) => digest,
        Ok(text) => {
            let token = text.trim_end_matches(['\r', '\n']);
            if http::bearer(&format!("Bearer {token}")) != Some(token) {
                return Err(wrong(
                    "its token is empty or has characters that no token has".to_owned(),
                    "use a long random word, for example from `openssl rand -hex 32`",
                ));
            }
            if token.len() < SHORT_TOKEN {
                let warning = format!(
                    "the token of `{}` is short enough to be guessed",
                    principal.name
                );
                printer.brief(&Diagnostic::warning(warning).place(principal.place.clone()));
            }
            TokenDigest::of(token)
        }
    };
    let skill = principal
        .skill
        .as_deref()
        .map(|name| session.skill(name))
        .transpose()?;
    Ok((
        digest,
        Arc::new(Served::principal(&session.config, principal, skill)),
    ))
}

async fn stdio(who: Who, host: &Arc<Host>, bound: Duration) -> Result<(), Vec<Diagnostic>> {
    let Who::Anyone(served) = who else {
        return Ok(());
    };
    mcp::serve_stdio(Arc::clone(host), served, asked_to_end(), bound)
        .await
        .map_err(|problem| vec![problem])
}

/// Follows the files, and tells what each reload did.
fn watch(
    tools: &Arc<LiveRegistry>,
    host: &Arc<Host>,
    printer: &Printer,
) -> tokio::task::JoinHandle<()> {
    let printer = printer.clone();
    let host = Arc::downgrade(host);
    tools.watch(WATCH_INTERVAL, move |reload| {
        if let Some(host) = host.upgrade() {
            host.metrics.reload();
        }
        for problem in &reload.diagnostics {
            printer.brief(problem);
        }
    })
}

/// Ends when the process is asked to: an interrupt, or a request to terminate.
async fn asked_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut terminate), Ok(mut interrupt)) = (
            signal(SignalKind::terminate()),
            signal(SignalKind::interrupt()),
        ) else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
    #[cfg(not(unix))]
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
