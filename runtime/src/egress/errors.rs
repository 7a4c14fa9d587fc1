//! Errors of the wire, as the guest is told them.

use wasmtime_wasi_http::Error;
use wasmtime_wasi_http::p2::bindings::http::types::ErrorCode;

use super::MAX_RESPONSE_HEADER_BYTES;

/// The guest's code for an error on the wire.
pub(super) fn wire_error(error: &hyper::Error) -> Error {
    if error.is_parse_too_large() {
        Error::HttpResponseHeaderSectionSize(u32::try_from(MAX_RESPONSE_HEADER_BYTES).ok())
    } else if error.is_timeout() {
        Error::HttpResponseTimeout
    } else if error.is_body_write_aborted() {
        Error::HttpRequestBodySize(None)
    } else if error.is_incomplete_message() {
        Error::HttpResponseIncomplete
    } else if error.is_canceled() || error.is_closed() {
        Error::ConnectionTerminated
    } else {
        Error::HttpProtocolError
    }
}

/// The guest's code for the error of a body's stream.
///
/// `http-error-code` of wasmtime-wasi-http 48 looks for the WIT type in the error, but the
/// stream's error is the crate's own [`Error`], so a guest that asks is told nothing.
/// The linker puts this in its place.
pub fn stream_error_code(error: &wasmtime::Error) -> Option<ErrorCode> {
    if let Some(code) = error.downcast_ref::<ErrorCode>() {
        return Some(code.clone());
    }
    Some(match error.downcast_ref::<Error>()? {
        Error::HttpResponseBodySize(limit) => ErrorCode::HttpResponseBodySize(*limit),
        Error::HttpRequestBodySize(size) => ErrorCode::HttpRequestBodySize(*size),
        Error::HttpResponseTimeout => ErrorCode::HttpResponseTimeout,
        Error::ConnectionReadTimeout => ErrorCode::ConnectionReadTimeout,
        Error::HttpResponseIncomplete => ErrorCode::HttpResponseIncomplete,
        Error::ConnectionTerminated => ErrorCode::ConnectionTerminated,
        Error::HttpResponseHeaderSectionSize(size) => {
            ErrorCode::HttpResponseTrailerSectionSize(*size)
        }
        _ => ErrorCode::HttpProtocolError,
    })
}
