//! Counts requests and bytes of a store.
//!
//! Callers attach a [`Meter`] to a job. The meter counts all requests of the job, including retries
//! and requests for credentials.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use super::StoreError;
use super::objects::CONNECT;
use super::removed_names::RemovedNames;
use super::web::led_to;
use crate::RedirectPolicy;
use base::limits::Limit;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use object_store::{ClientConfigKey, ClientOptions};
use reqwest::header::HeaderMap;
use reqwest::{Certificate, Method, NoProxy, Proxy, Url};

tokio::task_local! {
    /// Meter of the current task, if it has one.
    static COUNTS_ON: Meter;
}

/// Numbers of requests sent and of bytes received.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Meter {
    /// Returns the number of requests so far.
    pub fn requests(&self) -> u64 {
        self.0.requests.load(Ordering::Relaxed)
    }

    /// Returns the number of bytes received so far.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Runs a future and counts its requests and bytes.
    pub(crate) async fn counting<T>(self, work: impl Future<Output = T>) -> T {
        COUNTS_ON.scope(self, work).await
    }
}

/// Counts a request.
pub(crate) fn count_request() {
    // The error is ignored, because most tasks have no meter.
    let _ = COUNTS_ON.try_with(|meter| meter.0.requests.fetch_add(1, Ordering::Relaxed));
}

/// Counts received bytes.
pub(crate) fn count_bytes(bytes: usize) {
    let _ = COUNTS_ON.try_with(|meter| meter.0.bytes.fetch_add(bytes as u64, Ordering::Relaxed));
}

/// Creates HTTP clients for buckets, which count their requests.
#[derive(Clone, Debug, Default)]
pub(crate) struct CountingConnector {
    /// Read timeout: a request fails after this time without a byte.
    pub silence: Duration,
    /// Collects the names removed from listings.
    pub odd: RemovedNames,
}

impl HttpConnector for CountingConnector {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let made = client(options, self.silence);
        let client = made.map_err(|error| object_store::Error::Generic {
            store: "HTTP",
            source: error.into(),
        })?;
        let (client, odd) = (HttpClient::new(client), self.odd.clone());
        Ok(HttpClient::new(CountingClient { client, odd }))
    }
}

/// Creates a client from options that environment variables can set. Never follows redirects,
/// because requests are signed.
fn client(options: &ClientOptions, silence: Duration) -> reqwest::Result<reqwest::Client> {
    let set = |key: ClientConfigKey| options.get_config_value(&key);
    let is_set = |key| set(key).is_some_and(|value| value == "true");
    let mut made = crate::http(RedirectPolicy::Nothing)
        .https_only(!is_set(ClientConfigKey::AllowHttp))
        .tls_danger_accept_invalid_certs(is_set(ClientConfigKey::AllowInvalidCertificates))
        .connect_timeout(CONNECT)
        .read_timeout(silence)
        // Request uncompressed bytes, so that the received bytes are those of the object.
        .no_gzip()
        .no_brotli()
        .no_zstd()
        .no_deflate();
    if is_set(ClientConfigKey::Http1Only) {
        made = made.http1_only();
    }
    if let Some(agent) = set(ClientConfigKey::UserAgent) {
        made = made.user_agent(agent);
    }
    if let Some(address) = set(ClientConfigKey::ProxyUrl) {
        let excluded = set(ClientConfigKey::ProxyExcludes);
        let excluded = excluded.and_then(|hosts| NoProxy::from_string(&hosts));
        made = made.proxy(Proxy::all(address)?.no_proxy(excluded));
    }
    if let Some(certificate) = set(ClientConfigKey::ProxyCaCertificate) {
        let certificate = Certificate::from_pem(certificate.as_bytes())?;
        made = made.tls_certs_merge([certificate]);
    }
    made.build()
}

/// A client that counts its requests.
#[derive(Debug)]
struct CountingClient {
    client: HttpClient,
    odd: RemovedNames,
}

type Answer<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for CountingClient {
    fn call<'s, 'a>(&'s self, request: HttpRequest) -> Answer<'a>
    where
        's: 'a,
        Self: 'a,
    {
        Box::pin(async move {
            count_request();
            let is_list = request
                .uri()
                .query()
                .is_some_and(|query| query.contains("list-type=2") || query.contains("comp=list"));
            let is_object = request.method() == Method::GET && !is_list;
            let asked = Url::parse(&request.uri().to_string()).ok();
            let answer = self.client.execute(request).await?;
            let (status, headers) = (answer.status(), answer.headers());
            if let Some(host) = asked.and_then(|asked| led_to(status, headers, &asked)) {
                return Err(refused(match region(headers) {
                    Some(region) => StoreError::Region(region),
                    None => StoreError::Redirected(host),
                }));
            }
            let is_page = is_list && status.is_success();
            // Limit the responses that the crate reads into memory.
            let bounded = !(is_object && status.is_success());
            let room = bounded.then(|| Limit::Listing.get());
            let answer = answer.map(|body| HttpResponseBody::new(CountingBody { body, room }));
            if is_page {
                return self.odd.filter(answer).await;
            }
            Ok(answer)
        })
    }
}

/// Returns the region of the bucket from a response header of S3.
fn region(headers: &HeaderMap) -> Option<String> {
    let region = headers.get("x-amz-bucket-region")?.to_str().ok()?;
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
    region.chars().all(is_sign).then(|| region.to_owned())
}

/// Wraps an error that must not be retried.
fn refused(why: StoreError) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, why)
}

/// Response body that counts its bytes.
struct CountingBody {
    body: HttpResponseBody,
    /// Number of bytes that are still accepted; `None` if there is no limit.
    room: Option<u64>,
}

impl Body for CountingBody {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(data) = frame.data_ref()
        {
            count_bytes(data.len());
            if let Some(room) = &mut self.room {
                let Some(left) = room.checked_sub(data.len() as u64) else {
                    let why = StoreError::Listing(Limit::Listing.message());
                    return Poll::Ready(Some(Err(refused(why))));
                };
                *room = left;
            }
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match self.room {
            // Do not give the announced size: the crate would allocate that much memory.
            Some(_) => SizeHint::default(),
            None => self.body.size_hint(),
        }
    }
}
