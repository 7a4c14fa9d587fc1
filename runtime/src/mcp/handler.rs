//! What the server answers to the requests of the protocol.

// Logging is deprecated since 2026-07-28, and clients of the versions before it use it.
#![allow(
    deprecated,
    reason = "the SDK marks what the newest protocol version has dropped"
)]

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CustomRequest, CustomResult, ErrorCode, ErrorData,
    Implementation, ListToolsResult, LoggingLevel, LoggingMessageNotificationParam,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, SetLevelRequestParams,
    SubscriptionFilter, Tool, ToolAnnotations,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::watch;
use tokio_util::sync::{CancellationToken, DropGuard};

use super::approval::Pending;
use super::served::View;
use super::{Host, Served};
use crate::schema::{Declaration, Declarations};

/// How a cursor starts. The rest is the name of the last tool on the page before, so that a
/// cursor stays good when tools come and go.
const CURSOR: &str = "after:";

/// One connection, or one request where there are no connections.
pub struct Session {
    host: Arc<Host>,
    served: Arc<Served>,
    /// The level that the client asked for; until then only what is wrong is sent.
    level: Mutex<LoggingLevel>,
    ended: CancellationToken,
    _end: DropGuard,
}

impl Session {
    /// A session of a principal.
    #[must_use]
    pub fn new(host: Arc<Host>, served: Arc<Served>) -> Self {
        let ended = CancellationToken::new();
        Self {
            host,
            served,
            level: Mutex::new(LoggingLevel::Warning),
            _end: ended.clone().drop_guard(),
            ended,
        }
    }

    pub(super) fn host(&self) -> &Arc<Host> {
        &self.host
    }

    pub(super) fn served(&self) -> &Served {
        &self.served
    }

    pub(super) fn pending(&self) -> &Pending {
        &self.served.pending
    }

    /// What the principal sees now.
    pub(super) async fn view(&self) -> Arc<View> {
        self.host.view(&self.served).await
    }

    /// Sends a message to the client's log, if the client wants it.
    pub(super) async fn log(
        &self,
        context: &RequestContext<RoleServer>,
        is_error: bool,
        text: String,
    ) {
        let level = if is_error {
            LoggingLevel::Error
        } else {
            LoggingLevel::Warning
        };
        let least = match context.meta.log_level() {
            Some(asked) => asked,
            // In the newest version only those that ask with the request get messages.
            None if context
                .protocol_version()
                .is_some_and(|version| version.as_str() >= "2026-07-28") =>
            {
                return;
            }
            None => *self.level.lock().unwrap_or_else(PoisonError::into_inner),
        };
        if rank(level) < rank(least) {
            return;
        }
        let message =
            LoggingMessageNotificationParam::new(level, Value::from(text)).with_logger("holm");
        // A client that went away is noticed elsewhere.
        drop(context.peer.notify_logging_message(message).await);
    }
}

/// Levels in the order of their weight.
fn rank(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}

/// Waits until what a principal sees is other than `seen`. Never ends when the tools cannot
/// change any more.
async fn changed(
    host: &Host,
    served: &Served,
    changes: &mut watch::Receiver<u64>,
    seen: &mut Value,
) {
    loop {
        if changes.changed().await.is_err() {
            std::future::pending::<()>().await;
        }
        let view = host.view(served).await;
        let now = listed(&view.declarations);
        if now != *seen {
            *seen = now;
            return;
        }
    }
}

fn listed(declarations: &Declarations) -> Value {
    declarations.to_json(crate::schema::Form::Mcp)
}

/// A tool in the SDK's type.
fn tool(declaration: &Declaration) -> Tool {
    let reach = declaration.reach;
    Tool::new(
        declaration.name.clone(),
        declaration.description.clone(),
        Arc::clone(&declaration.parameters),
    )
    .with_annotations(
        ToolAnnotations::new()
            .read_only(reach.read_only)
            .destructive(!reach.read_only)
            .idempotent(reach.read_only)
            .open_world(reach.open_world),
    )
}

/// One page of a list, and the cursor of the next.
fn page(
    declarations: &Declarations,
    cursor: Option<&str>,
    size: usize,
) -> Result<(Vec<Tool>, Option<String>), ErrorData> {
    let after = match cursor {
        None => None,
        Some(cursor) => {
            let name = cursor
                .strip_prefix(CURSOR)
                .filter(|name| crate::schema::wire_name(name).is_ok_and(|wire| wire == *name));
            let Some(name) = name else {
                return Err(ErrorData::invalid_params("Invalid cursor", None));
            };
            Some(name)
        }
    };
    let start = match after {
        None => 0,
        Some(name) => declarations
            .tools
            .partition_point(|tool| tool.name.as_str() <= name),
    };
    let rest = declarations.tools.get(start..).unwrap_or_default();
    let here = rest.get(..size).unwrap_or(rest);
    let next = here
        .last()
        .filter(|_| here.len() < rest.len())
        .map(|last| format!("{CURSOR}{}", last.name));
    Ok((here.iter().map(tool).collect(), next))
}

impl ServerHandler for Session {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_logging()
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("holm", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let view = self.view().await;
        let cursor = request.and_then(|request| request.cursor);
        let (tools, next) = page(&view.declarations, cursor.as_deref(), self.host.page)?;
        let mut result = ListToolsResult::with_all_items(tools);
        result.next_cursor = next;
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.call(request, context).await
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        // A request that is known by its name and has other parameters than it should.
        let wanted = match request.method.as_str() {
            "tools/call" => "`name` is a text and `arguments` an object",
            "tools/list" => "`cursor` is a text",
            "logging/setLevel" => "`level` is the name of a level",
            "initialize" => "`protocolVersion`, `capabilities` and `clientInfo` are needed",
            _ => {
                let method = crate::visible::short_line(&request.method, 128);
                return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None));
            }
        };
        let message = format!("Invalid parameters of {}: {wanted}", request.method);
        Err(ErrorData::invalid_params(message, None))
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        *self.level.lock().unwrap_or_else(PoisonError::into_inner) = request.level;
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let (host, served, ended) = (
            Arc::clone(&self.host),
            Arc::clone(&self.served),
            self.ended.clone(),
        );
        let mut changes = host.tools.subscribe();
        let mut seen = listed(&self.view().await.declarations);
        tokio::spawn(async move {
            loop {
                tokio::select! {
                    () = ended.cancelled() => return,
                    () = changed(&host, &served, &mut changes, &mut seen) => {}
                }
                if context.peer.notify_tool_list_changed().await.is_err() {
                    return;
                }
            }
        });
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::builder().tools_list_changed().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.host.tools.subscribe();
        let mut seen = listed(&self.view().await.declarations);
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                () = self.host.draining.cancelled() => return Ok(()),
                () = changed(&self.host, &self.served, &mut changes, &mut seen) => {}
            }
            if context.sink().notify_tool_list_changed().await.is_err() {
                return Ok(());
            }
        }
    }

    fn get_tool(&self, _: &str) -> Option<Tool> {
        // Arguments are checked on the way of a call, with words for the model.
        None
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [rmcp::model::ProtocolVersion]> {
        Cow::Borrowed(rmcp::model::ProtocolVersion::KNOWN_VERSIONS)
    }
}
