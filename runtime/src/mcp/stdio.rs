//! MCP over standard input and output, for one client.

use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::service::{QuitReason, ServerInitializeError};

use super::{Host, Served, Session};
use crate::diagnostic::Diagnostic;

/// Serves until standard input ends or `stop` does.
///
/// # Errors
///
/// The client did not speak the protocol, or the connection broke.
pub async fn serve(
    host: Arc<Host>,
    served: Arc<Served>,
    stop: impl Future<Output = ()>,
    bound: Duration,
) -> Result<(), Diagnostic> {
    let session = Session::new(Arc::clone(&host), served);
    let stop = std::pin::pin!(stop);
    let mut stop = stop;
    let running = tokio::select! {
        running = session.serve(rmcp::transport::stdio()) => running,
        () = &mut stop => return Ok(()),
    };
    let running = match running {
        Ok(running) => running,
        // Standard input ended before anybody spoke.
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => {
            return Err(Diagnostic::error(format!(
                "the client did not begin a session: {error}"
            )));
        }
    };
    let token = running.cancellation_token();
    let waiting = running.waiting();
    tokio::pin!(waiting);
    let ended = tokio::select! {
        ended = &mut waiting => ended,
        () = &mut stop => {
            host.stop(bound).await;
            token.cancel();
            waiting.await
        }
    };
    match ended {
        Ok(QuitReason::JoinError(error)) | Err(error) => {
            Err(Diagnostic::error(format!("the session broke off: {error}")))
        }
        Ok(_) => Ok(()),
    }
}
