//! Two functions of `wasi:http` that holm has of its own, in place of those of
//! wasmtime-wasi-http 48. All others are that crate's.
//!
//! | function | what is different |
//! |---|---|
//! | `outgoing-handler.handle` | a request that can be read in two ways is refused, and noted, before the crate reads it; the options that are handed over are freed, where the crate keeps one handle per request until the call ends |
//! | `types.http-error-code` | finds the error that a body's stream ends with; the crate looks for another type than it puts there, and says nothing |

use super::host::Host;
use crate::egress::stream_error_code;
use wasmtime::component::{Linker, Resource};
use wasmtime::{Result, StoreContextMut};
use wasmtime_wasi_http::p2::bindings::http::outgoing_handler::Host as _;
use wasmtime_wasi_http::p2::bindings::http::types::{
    ErrorCode, Host as _, IoError, Method, Scheme,
};
use wasmtime_wasi_http::p2::types::{HostFutureIncomingResponse, HostOutgoingRequest};
use wasmtime_wasi_http::{RequestOptions, WasiHttpView as _};

/// The version that wasmtime-wasi-http 48 links.
const HANDLER: &str = "wasi:http/outgoing-handler@0.2.12";
/// Likewise.
const TYPES: &str = "wasi:http/types@0.2.12";

/// What `handle` gives back.
type Handled = Result<Resource<HostFutureIncomingResponse>, ErrorCode>;

/// Puts them in place of the crate's, which must be there.
pub(super) fn replace(linker: &mut Linker<Host>) -> Result<()> {
    linker.allow_shadowing(true);
    linker.instance(HANDLER)?.func_wrap(
        "handle",
        |mut store: StoreContextMut<'_, Host>,
         (request, options): (
            Resource<HostOutgoingRequest>,
            Option<Resource<RequestOptions>>,
        )| { Ok((handle(store.data_mut(), request, options)?,)) },
    )?;
    linker.instance(TYPES)?.func_wrap(
        "http-error-code",
        |mut store: StoreContextMut<'_, Host>, (error,): (Resource<IoError>,)| {
            let error = store.data_mut().table().get(&error)?;
            Ok((stream_error_code(error),))
        },
    )?;
    linker.allow_shadowing(false);
    Ok(())
}

fn handle(
    host: &mut Host,
    request: Resource<HostOutgoingRequest>,
    options: Option<Resource<RequestOptions>>,
) -> Result<Handled> {
    let options_handle = options.as_ref().map(Resource::rep);
    let judged = judge(host, &request)?;
    let mut http = host.http();
    let handled = match judged {
        Ok(()) => match http.handle(request, options) {
            Ok(response) => Ok(response),
            Err(error) => Err(http.convert_error_code(error)?),
        },
        Err(code) => {
            http.table.delete(request)?;
            Err(code)
        }
    };
    if let Some(handle) = options_handle {
        http.table
            .delete(Resource::<RequestOptions>::new_own(handle))?;
    }
    Ok(handled)
}

/// Whether the request's parts can be read in one way only.
fn judge(
    host: &mut Host,
    request: &Resource<HostOutgoingRequest>,
) -> Result<Result<(), ErrorCode>> {
    let (table, egress) = host.table_and_egress();
    let request = table.get(request)?;
    // Without a grant nothing is sent whatever it says.
    let Some(egress) = egress else {
        return Ok(Err(ErrorCode::HttpRequestDenied));
    };
    let scheme = request.scheme.as_ref().map(|scheme| match scheme {
        Scheme::Http => "http",
        Scheme::Https => "https",
        Scheme::Other(other) => other,
    });
    let judged = egress.judge(
        method(&request.method),
        scheme,
        request.authority.as_deref(),
        request.path_with_query.as_deref(),
    );
    Ok(judged.map_err(|_| ErrorCode::HttpRequestDenied))
}

fn method(method: &Method) -> &str {
    match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Put => "PUT",
        Method::Delete => "DELETE",
        Method::Connect => "CONNECT",
        Method::Options => "OPTIONS",
        Method::Trace => "TRACE",
        Method::Patch => "PATCH",
        Method::Other(other) => other,
    }
}
