//! What looking at a store costs: requests and bytes, counted where they come and go.
//!
//! Who wants to know it hands a [`Meter`] to the work; everything that the work asks counts on it, attempts and
//! credentials included.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use super::StoreError;
use super::objects::CONNECT;
use super::odd::Odd;
use super::web::led_to;
use bytes::Bytes;
use client::Follow;
use http_body::{Body, Frame, SizeHint};
use limits::Limit;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpResponse,
    HttpResponseBody, HttpService,
};
use object_store::{ClientConfigKey, ClientOptions};
use reqwest::header::HeaderMap;
use reqwest::{Certificate, Method, NoProxy, Proxy, Url};

tokio::task_local! {
    /// On what the work of this task counts.
    static COUNTS_ON: Meter;
}

/// Requests that were made, and bytes that came.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    requests: AtomicU64,
    bytes: AtomicU64,
}

impl Meter {
    /// Requests so far.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.0.requests.load(Ordering::Relaxed)
    }

    /// Bytes of answers so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Counts what some work asks.
    pub(crate) async fn over<T>(self, work: impl Future<Output = T>) -> T {
        COUNTS_ON.scope(self, work).await
    }
}

/// A request is made.
pub(crate) fn asked() {
    // Most work is not counted.
    let _ = COUNTS_ON.try_with(|meter| meter.0.requests.fetch_add(1, Ordering::Relaxed));
}

/// Bytes of an answer came.
pub(crate) fn came(bytes: usize) {
    let _ = COUNTS_ON.try_with(|meter| meter.0.bytes.fetch_add(bytes as u64, Ordering::Relaxed));
}

/// Makes the clients of buckets, whose requests are counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counting {
    /// Without a byte for so long, a request is given up.
    pub silence: Duration,
    /// Where names go that are taken out of listings.
    pub odd: Odd,
}

impl HttpConnector for Counting {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let made = client(options, self.silence);
        let client = made.map_err(|error| object_store::Error::Generic {
            store: "HTTP",
            source: error.into(),
        })?;
        let (client, odd) = (HttpClient::new(client), self.odd.clone());
        Ok(HttpClient::new(Counted { client, odd }))
    }
}

/// A client as the options have it that variables may set, which is led nowhere: requests are signed.
fn client(options: &ClientOptions, silence: Duration) -> reqwest::Result<reqwest::Client> {
    let set = |key: ClientConfigKey| options.get_config_value(&key);
    let is_set = |key| set(key).is_some_and(|value| value == "true");
    let mut made = client::http(Follow::Nothing)
        .https_only(!is_set(ClientConfigKey::AllowHttp))
        .tls_danger_accept_invalid_certs(is_set(ClientConfigKey::AllowInvalidCertificates))
        .connect_timeout(CONNECT)
        .read_timeout(silence)
        // Bytes are to be those of the object, whatever a proxy would pack.
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

/// A client whose requests are counted.
#[derive(Debug)]
struct Counted {
    client: HttpClient,
    odd: Odd,
}

type Answer<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for Counted {
    fn call<'s, 'a>(&'s self, request: HttpRequest) -> Answer<'a>
    where
        's: 'a,
        Self: 'a,
    {
        Box::pin(async move {
            asked();
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
            // What the crate reads as a whole.
            let bounded = !(is_object && status.is_success());
            let room = bounded.then(|| Limit::Listing.get());
            let answer = answer.map(|body| HttpResponseBody::new(CountedBody { body, room }));
            if is_page {
                return self.odd.filter(answer).await;
            }
            Ok(answer)
        })
    }
}

/// The region in which a bucket lies, as S3 says it.
fn region(headers: &HeaderMap) -> Option<String> {
    let region = headers.get("x-amz-bucket-region")?.to_str().ok()?;
    let is_sign = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
    region.chars().all(is_sign).then(|| region.to_owned())
}

/// An error that is not passed by asking again.
fn refused(why: StoreError) -> HttpError {
    HttpError::new(HttpErrorKind::Unknown, why)
}

/// The body of an answer whose bytes are counted.
struct CountedBody {
    body: HttpResponseBody,
    /// Bytes that may still come, where there is a bound.
    room: Option<u64>,
}

impl Body for CountedBody {
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
            came(data.len());
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
        self.body.size_hint()
    }
}
