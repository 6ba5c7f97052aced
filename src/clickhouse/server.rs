//! A server, and how it is asked.

use std::hash::{BuildHasher as _, RandomState};
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use client::{Follow, Secret, is_local};
use limits::Limit;
use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Client, Response, Url};
use store::run;
use tokio::time::{sleep, timeout};

use super::exception::{at_end, check};
use super::{ClickHouseError, Place, Rows, text};

/// Environment variables with the user's name, where the address has none, and with the password.
const USER: &str = "CLICKHOUSE_USER";
const PASSWORD: &str = "CLICKHOUSE_PASSWORD";
/// The user that every server has.
const DEFAULT: &str = "default";
/// The setting that says whether a user may write.
const READONLY: &str = "readonly";
/// The setting with which numbers would silently be those of fewer nodes.
const SKIPS: &str = "skip_unavailable_shards";

/// How long a server is waited for.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Until there is a connection.
    pub connect: Duration,
    /// Until an answer is whole. Then the query is killed on the server.
    pub whole: Duration,
    /// Before a query is asked once more whose connection was closed.
    pub pause: Duration,
    /// For the killing of a query.
    pub kill: Duration,
}

impl Patience {
    /// As the limits have it.
    #[must_use]
    pub fn usual() -> Self {
        Self {
            connect: Duration::from_secs(5),
            whole: Duration::from_secs(Limit::QueryTime.get()),
            pause: Duration::from_millis(500),
            kill: Duration::from_secs(5),
        }
    }
}

/// A server as a user sees it.
#[derive(Clone, Debug)]
pub struct Server {
    asks: Arc<Asks>,
}

/// What all queries have in common.
#[derive(Debug)]
struct Asks {
    client: Client,
    url: Url,
    secret: Secret,
    patience: Patience,
    /// What the user may do, once that is known.
    rights: OnceLock<Rights>,
}

/// What a user may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rights {
    /// Write.
    Writes,
    /// Read, and change settings.
    Reads,
    /// Read, and change nothing.
    Fixed,
}

/// One query.
#[derive(Clone, Debug)]
struct Query {
    id: String,
    sql: String,
    /// Rows that are written. A copy of them shares their bytes.
    rows: Option<Bytes>,
    settings: Vec<(&'static str, String)>,
}

impl Query {
    /// A query under the server's own settings.
    fn new(sql: String) -> Self {
        Self {
            id: id(),
            sql,
            rows: None,
            settings: Vec::new(),
        }
    }
}

/// A number that no other program has, to name something by.
#[must_use]
pub fn token() -> u64 {
    // Its keys are random.
    RandomState::new().hash_one(std::process::id())
}

impl Server {
    /// The server of a place, with the password of this process's environment. Nothing is asked of it yet.
    ///
    /// # Errors
    /// The address is wrong, or the password cannot be sent.
    pub fn open(place: &Place) -> Result<Self, ClickHouseError> {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let user = place.user().map(str::to_owned).or_else(|| set(USER));
        Self::reach(place, user.as_deref(), set(PASSWORD), Patience::usual())
    }

    /// As [`Self::open`], with a user and a password.
    ///
    /// # Errors
    /// As there.
    pub fn reach(
        place: &Place,
        user: Option<&str>,
        password: Option<String>,
        patience: Patience,
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
        let mut client = client::http(Follow::Nothing)
            .connect_timeout(patience.connect)
            // A server closes idle connections when it likes; a new one costs little beside a query.
            .pool_max_idle_per_host(0)
            .default_headers(headers);
        if is_local(&url) {
            client = client.no_proxy();
        }
        let client = client.build().map_err(|_| ClickHouseError::Failed)?;
        Ok(Self {
            asks: Arc::new(Asks {
                client,
                url,
                secret,
                patience,
                rights: OnceLock::new(),
            }),
        })
    }

    /// Another node, asked as the same user.
    ///
    /// # Errors
    /// Its address is wrong.
    pub fn at(&self, node: &Place) -> Result<Self, ClickHouseError> {
        let Asks {
            client,
            secret,
            patience,
            ..
        } = &*self.asks;
        Ok(Self {
            asks: Arc::new(Asks {
                client: client.clone(),
                url: node.url()?,
                secret: secret.clone(),
                patience: *patience,
                rights: OnceLock::new(),
            }),
        })
    }

    /// The rows of an answer. `read` reads the values of one, in the order of the query's columns.
    ///
    /// # Errors
    /// There is no answer, or it is not whole.
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

    /// The answer to a query for whole numbers that are not negative: `UInt64`.
    ///
    /// # Errors
    /// As for rows.
    pub fn numbers(&self, sql: &str) -> Result<Vec<u64>, ClickHouseError> {
        Rows::new(&self.answer(sql, &mut go_on)?).each(Rows::u64)
    }

    /// The whole answer to a query in `RowBinary`.
    ///
    /// # Errors
    /// There is none.
    pub fn answer(
        &self,
        sql: &str,
        look: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Result<Vec<u8>, ClickHouseError> {
        let rights = self.rights()?;
        let mut settings = Vec::new();
        if rights != Rights::Fixed {
            settings.push((SKIPS, "0".to_owned()));
            // The server's own clock ends what nobody can kill.
            let seconds = self.asks.patience.whole.as_secs().saturating_add(1);
            settings.push(("max_execution_time", seconds.to_string()));
        }
        if rights == Rights::Writes {
            // Whoever asks changes nothing, whatever the user may do.
            settings.push((READONLY, "2".to_owned()));
        }
        let query = Query {
            settings,
            ..Query::new(format!("{sql} FORMAT RowBinary"))
        };
        self.ask(query, true, look)
    }

    /// Does what is no query, such as making a table.
    ///
    /// # Errors
    /// It is not done.
    pub fn execute(&self, sql: &str) -> Result<(), ClickHouseError> {
        self.ask(Query::new(sql.to_owned()), true, &mut go_on)
            .map(drop)
    }

    /// Writes rows, and returns when every node has its own. They may be there in part after an error, and are not written
    /// a second time.
    ///
    /// # Errors
    /// They are not there.
    pub fn insert(&self, sql: &str, rows: Vec<u8>) -> Result<(), ClickHouseError> {
        let query = Query {
            rows: Some(rows.into()),
            settings: vec![("insert_distributed_sync", "1".to_owned())],
            ..Query::new(format!("{sql} FORMAT RowBinary"))
        };
        self.ask(query, false, &mut go_on).map(drop)
    }

    /// What the user may do.
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
        // Another thread may have asked as well, with the same answer.
        Ok(*self.asks.rights.get_or_init(|| rights))
    }

    /// Asks, and once more if the connection is closed and `again` allows it.
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
            // It has been stopped for whoever asked.
            drop(run(kill, &mut go_on));
        }
        done
    }
}

fn go_on() -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The name of a query, by which it is killed.
fn id() -> String {
    format!("eyechart-{:016x}{:016x}", token(), token())
}

impl Asks {
    /// The answer to a query, for which there is so much time and no more.
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
            // The status tells then how the query has ended, and not only how it has begun.
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

    /// Tells the server to stop a query; returns true if it says that it does.
    async fn kill(&self, id: &str) -> bool {
        let kill = Query::new(format!("KILL QUERY WHERE query_id = {} ASYNC", text(id)));
        let killed = timeout(self.patience.kill, self.send(&kill)).await;
        killed.is_ok_and(|killed| killed.is_ok())
    }
}

/// The whole body of an answer.
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
