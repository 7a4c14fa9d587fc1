//! What an instance finds on the other side of its imports.

use super::bindings::holm::tool::harness;
use super::limits::Meter;
use super::{Grants, NestedCalls};
use crate::egress::{Egress, Reports};
use crate::limits::{Budget, Limits, Steps};
use std::sync::Arc;
use wasmtime::component::{HasData, ResourceTable};
use wasmtime_wasi::{WasiCtx, WasiCtxView, WasiView};
use wasmtime_wasi_http::{
    Error, RequestOptions, WasiBody, WasiHttpCtx, WasiHttpCtxView, WasiHttpHooks, WasiHttpView,
};

/// Handles (streams, requests, pollables) alive at a time: some ten per request, and
/// requests are few.
pub(super) const HANDLES: usize = 1000;
/// Bytes of random data in one request: the engine asks for some sixteen.
pub(super) const RANDOM: u64 = 64 << 10;
/// Bytes of headers of one request or response.
pub(super) const HEADERS: usize = 128 << 10;

/// The data of one store: everything that one call reaches, dropped with it.
pub(super) struct Host {
    wasi: WasiCtx,
    http: WasiHttpCtx,
    egress: Option<Egress>,
    nothing: NoEgress,
    table: ResourceTable,
    nested: Arc<dyn NestedCalls>,
    reports: Reports,
    budget: Budget,
    pub(super) steps: Steps,
    pub(super) meter: Meter,
}

impl Host {
    pub(super) fn new(
        grants: &Grants,
        limits: &Limits,
        egress: Option<Egress>,
        nested: Arc<dyn NestedCalls>,
        reports: Reports,
        budget: Budget,
    ) -> Self {
        // The builder starts from nothing: no arguments, no folders, closed streams,
        // no address that may be dialled and no names looked up.
        let mut wasi = WasiCtx::builder();
        wasi.max_random_size(RANDOM).env("TEIN_SANDBOX", "true");
        for secret in grants
            .env
            .iter()
            .filter(|secret| secret.name() != "TEIN_SANDBOX")
        {
            wasi.env(secret.name(), secret.reveal());
        }
        let mut http = WasiHttpCtx::new();
        http.set_field_size_limit(HEADERS);
        let mut table = ResourceTable::new();
        table.set_max_capacity(HANDLES);
        Self {
            wasi: wasi.build(),
            http,
            egress,
            nothing: NoEgress,
            table,
            nested,
            reports,
            steps: Steps::new(budget.steps(limits.steps), budget.clone()),
            meter: Meter::new(limits.memory, budget.clone()),
            budget,
        }
    }

    /// Takes over the instance of `before`, a call that is over: its handles, and the memory that
    /// it has.
    ///
    /// # Errors
    ///
    /// The limit that there was, when this call's budget has not as much memory.
    pub(super) fn succeed(&mut self, before: &mut Self, limits: &Limits) -> Result<(), u64> {
        std::mem::swap(&mut self.table, &mut before.table);
        std::mem::swap(&mut self.meter, &mut before.meter);
        self.meter.resume(limits.memory, self.budget.clone())
    }

    pub(super) fn table(&mut self) -> &mut ResourceTable {
        &mut self.table
    }

    pub(super) fn table_and_egress(&mut self) -> (&ResourceTable, Option<&Egress>) {
        (&self.table, self.egress.as_ref())
    }
}

impl WasiView for Host {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView {
            ctx: &mut self.wasi,
            table: &mut self.table,
        }
    }
}

impl WasiHttpView for Host {
    fn http(&mut self) -> WasiHttpCtxView<'_> {
        let hooks: &mut dyn WasiHttpHooks = match &mut self.egress {
            Some(egress) => egress,
            None => &mut self.nothing,
        };
        WasiHttpCtxView {
            hooks,
            table: &mut self.table,
            ctx: &mut self.http,
        }
    }
}

/// The wall of a call that was granted no URL. Its component has no HTTP import, so
/// nothing asks; if something did, this is the answer.
struct NoEgress;

impl WasiHttpHooks for NoEgress {
    fn send_request(
        &mut self,
        _: http::Request<WasiBody>,
        _: Option<RequestOptions>,
        _: Box<dyn Future<Output = Result<(), Error>> + Send>,
    ) -> Box<dyn Future<Output = Result<Sent, Error>> + Send> {
        Box::new(async { Err(Error::HttpRequestDenied) })
    }
}

/// A response, and the work that must go on for its body to arrive.
type Sent = (
    http::Response<WasiBody>,
    Box<dyn Future<Output = Result<(), Error>> + Send>,
);

impl harness::Host for Host {
    async fn call_tool(&mut self, name: String, arguments: String) -> Result<String, String> {
        let nested = Arc::clone(&self.nested);
        let budget = self.budget.clone();
        nested.call_tool(&name, &arguments, &budget).await
    }

    async fn call_tool_value(&mut self, name: String, arguments: String) -> Result<String, String> {
        let nested = Arc::clone(&self.nested);
        let budget = self.budget.clone();
        nested.call_tool_value(&name, &arguments, &budget).await
    }

    async fn steps_left(&mut self, left: u64) -> u64 {
        self.steps.left(left)
    }

    async fn request_refused(&mut self, method: String, url: String, header: Option<String>) {
        self.reports.request(&method, &url, header.as_deref());
    }

    async fn variable_missing(&mut self, name: String) {
        self.reports.variable(&name);
    }
}

/// The host itself, as the data behind `holm:tool/harness`.
pub(super) struct HasHost;

impl HasData for HasHost {
    type Data<'a> = &'a mut Host;
}

/// The table alone, as the data behind `wasi:io`.
pub(super) struct HasTable;

impl HasData for HasTable {
    type Data<'a> = &'a mut ResourceTable;
}
