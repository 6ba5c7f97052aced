//! What looking at a store costs: requests and bytes, counted where they come and go.
//!
//! Who wants to know it hands a [`Meter`] to the work; everything that the work asks counts on it, attempts and
//! credentials included.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use super::odd::Odd;
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpRequest, HttpResponse, HttpResponseBody, HttpService,
    ReqwestConnector,
};

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
    /// Where names go that are taken out of listings.
    pub odd: Odd,
}

impl HttpConnector for Counting {
    fn connect(&self, options: &ClientOptions) -> object_store::Result<HttpClient> {
        let client = ReqwestConnector::default().connect(options)?;
        let odd = self.odd.clone();
        Ok(HttpClient::new(Counted { client, odd }))
    }
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
            let answer = self.client.execute(request).await?;
            let is_page = is_list && answer.status().is_success();
            let answer = answer.map(|body| HttpResponseBody::new(CountedBody(body)));
            if is_page {
                return self.odd.filter(answer).await;
            }
            Ok(answer)
        })
    }
}

/// The body of an answer whose bytes are counted.
struct CountedBody(HttpResponseBody);

impl Body for CountedBody {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        let frame = Pin::new(&mut self.0).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(data) = frame.data_ref()
        {
            came(data.len());
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}
