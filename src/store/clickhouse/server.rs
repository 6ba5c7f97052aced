//! Connection to a server: runs queries, inserts rows, and kills queries that take too long.

use std::hash::{BuildHasher as _, RandomState};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::run;
use crate::{RedirectPolicy, Secret, is_local};
use base::limits::Limit;
use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Client, Response, Url};
use tokio::time::{sleep, timeout};

use super::exception::{at_end, check};
use super::{ClickHouseError, DatabaseAddress, Rows, text};

/// Environment variable with the user's name, if the address has none.
const USER: &str = "CLICKHOUSE_USER";
/// Environment variable with the password.
const PASSWORD: &str = "CLICKHOUSE_PASSWORD";
/// Name of the user that every server has.
const DEFAULT: &str = "default";
/// Setting for the user's rights: 0 may write, 1 may only read, 2 may read and change settings.
const READONLY: &str = "readonly";
/// Setting with which the server skips unavailable shards without an error.
const SKIPS: &str = "skip_unavailable_shards";

/// Time limits of a server's requests.
#[derive(Clone, Copy, Debug)]
pub struct TimeLimits {
    /// Limit for connecting.
    pub connect: Duration,
    /// Limit for the complete answer. When it is exceeded, the query is killed on the server.
    pub whole: Duration,
    /// Pause before the retry of a query whose connection failed.
    pub pause: Duration,
    /// Limit for the request that kills a query.
    pub kill: Duration,
}

impl TimeLimits {
    /// Returns the default limits: `limits.query_time` of the config file, and constants.
    pub fn usual() -> Self {
        Self {
            connect: Duration::from_secs(5),
            whole: Duration::from_secs(Limit::QueryTime.get()),
            pause: Duration::from_millis(500),
            kill: Duration::from_secs(5),
        }
    }
}

/// Connection to one server as one user. Clones share the connection's settings.
#[derive(Clone, Debug)]
pub struct Server {
    asks: Arc<ServerState>,
}

/// State that all clones of a [`Server`] share.
#[derive(Debug)]
struct ServerState {
    client: Client,
    url: Url,
    secret: Secret,
    patience: TimeLimits,
    /// The user's rights; empty until they are queried.
    rights: OnceLock<Rights>,
}

/// Rights of a user, from the setting `readonly`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    /// Can write.
    Writes,
    /// Can read and change settings.
    Reads,
    /// Can only read.
    Fixed,
}

/// SQL text with a query ID, settings, and rows to insert.
#[derive(Clone, Debug)]
struct Query {
    id: String,
    sql: String,
    /// Rows to insert; clones share the bytes.
    rows: Option<Bytes>,
    settings: Vec<(&'static str, String)>,
}

impl Query {
    /// Creates a query with a new ID and without settings.
    fn new(sql: String) -> Self {
        Self {
            id: id(),
            sql,
            rows: None,
            settings: Vec::new(),
        }
    }
}

/// Returns a random number for names that must differ from the names of other programs.
pub fn token() -> u64 {
    // The keys of the hasher are random.
    RandomState::new().hash_one(std::process::id())
}

impl Server {
    /// Prepares a connection with user and password from the environment. Sends no request.
    ///
    /// # Errors
    /// The address is malformed, or the user's name or password is invalid in a header.
    pub fn open(place: &DatabaseAddress) -> Result<Self, ClickHouseError> {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let user = place.user().map(str::to_owned).or_else(|| set(USER));
        Self::reach(place, user.as_deref(), set(PASSWORD), TimeLimits::usual())
    }

    /// Like [`Self::open`], with the given user and password.
    ///
    /// # Errors
    /// As for [`Self::open`].
    pub fn reach(
        place: &DatabaseAddress,
        user: Option<&str>,
        password: Option<String>,
        patience: TimeLimits,
    ) -> Result<Self, ClickHouseError> {
        let url = place.url()?;
        let secret = Secret::new(password);
        let mut headers = HeaderMap::new();
        let user = HeaderValue::from_str(user.unwrap_or(DEFAULT));
        headers.insert(
            "x-clickhouse-user",
            user.map_err(|_| ClickHouseError::Password)?,
        );
        let key = secret.header("").map_err(|_| ClickHouseError::Password)?;
        if let Some(key) = key {
            headers.insert("x-clickhouse-key", key);
        }
        let mut client = crate::http(RedirectPolicy::Nothing)
            .connect_timeout(patience.connect)
            // The server may close idle connections at any time. A new connection is cheap compared
            // to a query.
            .pool_max_idle_per_host(0)
            .default_headers(headers);
        if is_local(&url) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|_| ClickHouseError::Failed)?;
        Ok(Self {
            asks: Arc::new(ServerState {
                client,
                url,
                secret,
                patience,
                rights: OnceLock::new(),
            }),
        })
    }

    /// Returns a connection to another node, with the same user, password and limits.
    ///
    /// # Errors
    /// The node's address is malformed.
    pub fn at(&self, node: &DatabaseAddress) -> Result<Self, ClickHouseError> {
        let ServerState {
            client,
            secret,
            patience,
            ..
        } = &*self.asks;
        Ok(Self {
            asks: Arc::new(ServerState {
                client: client.clone(),
                url: node.url()?,
                secret: secret.clone(),
                patience: *patience,
                rights: OnceLock::new(),
            }),
        })
    }

    /// Runs a query and reads its rows. `read` reads the values of one row, in the order of the
    /// columns. `look` is called repeatedly meanwhile and may cancel the query.
    ///
    /// # Errors
    /// The query fails, or the answer is incomplete.
    pub fn rows<T>(
        &self,
        sql: &str,
        look: &mut dyn FnMut() -> ControlFlow<()>,
        read: impl FnMut(&mut Rows<'_>) -> Result<T, ClickHouseError>,
    ) -> Result<Vec<T>, ClickHouseError> {
        let answer = self.answer(sql, look)?;
        let found = Rows::new(&answer).each(read);
        found.map_err(|error| match error {
            ClickHouseError::Torn => at_end(&answer, &self.asks.secret).unwrap_or(error),
            other => other,
        })
    }

    /// Runs a query whose result is one column of `UInt64`.
    ///
    /// # Errors
    /// As for [`Self::rows`].
    pub fn numbers(&self, sql: &str) -> Result<Vec<u64>, ClickHouseError> {
        Rows::new(&self.answer(sql, &mut go_on)?).each(Rows::u64)
    }

    /// Runs a query and returns its complete answer in `RowBinary`. `look` is called repeatedly
    /// meanwhile and may cancel the query.
    ///
    /// # Errors
    /// The query fails, or the answer is incomplete.
    pub fn answer(
        &self,
        sql: &str,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<u8>, ClickHouseError> {
        let rights = self.rights()?;
        let mut settings = Vec::new();
        if rights != Rights::Fixed {
            settings.push((SKIPS, "0".to_owned()));
            // The server gets a time limit too, in case the kill request does not arrive.
            let seconds = self.asks.patience.whole.as_secs().saturating_add(1);
            settings.push(("max_execution_time", seconds.to_string()));
        }
        if rights == Rights::Writes {
            // A query for an answer must not write, even if the user may.
            settings.push((READONLY, "2".to_owned()));
        }
        let query = Query {
            settings,
            ..Query::new(format!("{sql} FORMAT RowBinary"))
        };
        self.ask(query, true, look)
    }

    /// Runs a statement without result rows, such as CREATE TABLE.
    ///
    /// # Errors
    /// The statement fails.
    pub fn execute(&self, sql: &str) -> Result<(), ClickHouseError> {
        self.ask(Query::new(sql.to_owned()), true, &mut go_on)
            .map(drop)
    }

    /// Inserts rows. Returns when every node has stored its part. Failed inserts are not retried,
    /// so no row is inserted twice.
    ///
    /// # Errors
    /// The insert fails. Some of the rows may be stored.
    pub fn insert(&self, sql: &str, rows: Vec<u8>) -> Result<(), ClickHouseError> {
        let query = Query {
            rows: Some(rows.into()),
            settings: vec![("insert_distributed_sync", "1".to_owned())],
            ..Query::new(format!("{sql} FORMAT RowBinary"))
        };
        self.ask(query, false, &mut go_on).map(drop)
    }

    /// Returns the user's rights. Queries them only once.
    fn rights(&self) -> Result<Rights, ClickHouseError> {
        if let Some(known) = self.asks.rights.get() {
            return Ok(*known);
        }
        let names = [READONLY, SKIPS].map(text).join(", ");
        let query = Query::new(format!(
            "SELECT name, value FROM system.settings WHERE name IN ({names}) FORMAT RowBinary"
        ));
        let answer = self.ask(query, true, &mut go_on)?;
        let found = Rows::new(&answer).each(|row| Ok((row.text()?, row.text()?)))?;
        let is = |name: &str, value: &str| found.iter().any(|one| one.0 == name && one.1 == value);
        let rights = if is(READONLY, "1") {
            Rights::Fixed
        } else if is(READONLY, "0") {
            Rights::Writes
        } else {
            Rights::Reads
        };
        if rights == Rights::Fixed && !is(SKIPS, "0") {
            return Err(ClickHouseError::Skips);
        }
        // Another thread may have queried the rights too, with the same result.
        Ok(*self.asks.rights.get_or_init(|| rights))
    }

    /// Sends a query. If `again` is true and the connection fails, retries once.
    fn ask(
        &self,
        query: Query,
        again: bool,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<u8>, ClickHouseError> {
        let (asks, id) = (Arc::clone(&self.asks), query.id.clone());
        let work = async move {
            match asks.within(&query).await {
                Err(error) if again && error.may_pass() => {
                    sleep(asks.patience.pause).await;
                    asks.within(&query).await
                }
                done => done,
            }
        };
        let done = run(work, look);
        if done == Err(ClickHouseError::Stopped) {
            let asks = Arc::clone(&self.asks);
            let kill = async move { Ok::<_, ClickHouseError>(asks.kill(&id).await) };
            // The query was cancelled, so it does not matter whether the kill request works.
            drop(run(kill, &mut go_on));
        }
        done
    }
}

fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns a unique query ID, which a kill request can use.
fn id() -> String {
    format!("eyechart-{:016x}{:016x}", token(), token())
}

impl ServerState {
    /// Sends a query and kills it if it exceeds the time limit.
    async fn within(&self, query: &Query) -> Result<Vec<u8>, ClickHouseError> {
        let whole = self.patience.whole;
        if let Ok(done) = timeout(whole, self.send(query)).await {
            return done;
        }
        tracing::warn!(query = query.id, "no answer in time");
        Err(ClickHouseError::Late {
            seconds: whole.as_secs(),
            is_killed: self.kill(&query.id).await,
        })
    }

    async fn send(&self, query: &Query) -> Result<Vec<u8>, ClickHouseError> {
        let mut url = self.url.clone();
        url.query_pairs_mut()
            .append_pair("query_id", &query.id)
            // With this, the HTTP status describes the finished query, not its start.
            .append_pair("wait_end_of_query", "1")
            .extend_pairs(&query.settings);
        let body = match &query.rows {
            Some(rows) => {
                url.query_pairs_mut().append_pair("query", &query.sql);
                rows.clone()
            }
            None => query.sql.clone().into(),
        };
        let sent = self.client.post(url).body(body).send().await;
        let response = sent.map_err(|error| broken(&error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = whole(response).await?;
        check(status, &headers, &body, &self.secret)?;
        Ok(body)
    }

    /// Asks the server to kill a query. Returns true if the server accepts.
    async fn kill(&self, id: &str) -> bool {
        let kill = Query::new(format!("KILL QUERY WHERE query_id = {} ASYNC", text(id)));
        let killed = timeout(self.patience.kill, self.send(&kill)).await;
        killed.is_ok_and(|killed| killed.is_ok())
    }
}

/// Reads a response body, up to the limit for query answers.
async fn whole(mut response: Response) -> Result<Vec<u8>, ClickHouseError> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
        if body.len().saturating_add(chunk.len()) > Limit::QueryAnswer.length() {
            return Err(ClickHouseError::Huge(Limit::QueryAnswer.message()));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn broken(error: &reqwest::Error) -> ClickHouseError {
    if error.is_builder() {
        ClickHouseError::Failed
    } else if error.is_connect() {
        ClickHouseError::Connection
    } else {
        ClickHouseError::Closed
    }
}
