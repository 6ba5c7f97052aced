//! Reads and writes buckets: S3, Google Cloud Storage and Azure Blob Storage.

use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use base::limits::Limit;
use bytes::Bytes;
use futures_util::StreamExt as _;
use object_store::aws::{AmazonS3Builder, resolve_bucket_region};
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::{GcpCredential, GoogleCloudStorageBuilder};
use object_store::list::PaginatedListStore;
use object_store::path::Path;
use object_store::{
    ClientOptions, GetOptions, GetRange, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode,
    PutOptions, RetryConfig, StaticCredentialProvider,
};
use reqwest::header::HeaderValue;

use super::entry::{Body, Entry, RetryPolicy, past};
use super::environment::Environment;
use super::listing::Listing;
use super::meter::CountingConnector;
use super::removed_names::RemovedNames;
use super::{Address, Scheme, StoreError, profile};

/// Number of retries inside the `object_store` crate, in addition to our own.
const INNER_TRIES: usize = 3;
/// Address of the metadata service on cloud machines.
const METADATA: ([u8; 4], u16) = ([169, 254, 169, 254], 80);
/// Timeout for the metadata service, which runs on the same machine.
const METADATA_WAIT: Duration = Duration::from_millis(300);
/// Bytes of an upload for which the upload timeout grows by one read timeout.
const PIECE: u64 = 4 << 20;
/// Connection timeout.
pub(super) const CONNECT: Duration = Duration::from_secs(10);

/// Environment variables that contain credentials for S3.
const AMAZON: [&str; 5] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_METADATA_ENDPOINT",
];
/// Environment variables that contain credentials for Google Cloud Storage.
const GOOGLE: [&str; 6] = [
    "GOOGLE_SERVICE_ACCOUNT",
    "GOOGLE_SERVICE_ACCOUNT_PATH",
    "GOOGLE_SERVICE_ACCOUNT_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_BEARER_TOKEN",
    "GOOGLE_TOKEN",
];
/// Environment variables that contain credentials for Azure.
const AZURE: [&str; 7] = [
    "AZURE_STORAGE_ACCOUNT_KEY",
    "AZURE_STORAGE_ACCESS_KEY",
    "AZURE_STORAGE_SAS_TOKEN",
    "AZURE_STORAGE_SAS_KEY",
    "AZURE_STORAGE_TOKEN",
    "AZURE_STORAGE_CLIENT_SECRET",
    "AZURE_FEDERATED_TOKEN_FILE",
];

/// Connection to a bucket or a container.
#[derive(Debug)]
pub(crate) struct Objects {
    address: Address,
    environment: Environment,
    patience: RetryPolicy,
    store: Mutex<Client>,
    /// Names removed from listings.
    odd: RemovedNames,
}

/// Client of a store, for objects and listing pages.
#[derive(Clone)]
struct Client {
    objects: Arc<dyn ObjectStore>,
    pages: Arc<dyn PaginatedListStore>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.objects)
    }
}

impl std::fmt::Debug for Environment {
    /// Prints no values, because they can be secrets.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Environment")
    }
}

impl Objects {
    pub async fn new(
        address: &Address,
        environment: Environment,
        patience: RetryPolicy,
    ) -> Result<Self, StoreError> {
        let odd = RemovedNames::default();
        let store = build(address, environment.clone(), patience, &odd).await?;
        Ok(Self {
            address: address.whole(),
            environment,
            patience,
            store: Mutex::new(store),
            odd,
        })
    }

    /// Reads profiles and credentials again.
    pub async fn renew(&self) -> Result<(), StoreError> {
        let environment = self.environment.clone();
        let store = build(&self.address, environment, self.patience, &self.odd).await?;
        *self.store.lock().unwrap_or_else(PoisonError::into_inner) = store;
        Ok(())
    }

    fn client(&self) -> Client {
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        store.clone()
    }

    fn store(&self) -> Arc<dyn ObjectStore> {
        self.client().objects
    }

    pub(super) fn pages(&self) -> Arc<dyn PaginatedListStore> {
        self.client().pages
    }

    /// Returns the read timeout.
    pub(super) const fn silence(&self) -> Duration {
        self.patience.silence
    }

    /// Lists only the object at an address, if its name contains a dot and the object exists.
    /// Otherwise lists everything below the address.
    pub async fn list(
        &self,
        address: &Address,
        found: &(dyn Fn(u64) + Sync),
    ) -> Result<Listing, StoreError> {
        if address.name().contains('.') {
            match self.patiently(|| self.stat(&address.key)).await {
                Ok(entry) => return Ok(Listing::of(vec![entry])),
                Err(StoreError::Absent) => {}
                Err(error) => return Err(error),
            }
        }
        let prefix = path(&address.key)?;
        let mut listed = Listing::default();
        let (mut tries, mut renewed) = (0, false);
        loop {
            let before = listed.len();
            let Err(error) = self.list_on(&prefix, &mut listed, found).await else {
                break;
            };
            if listed.len() > before {
                tries = 0;
            }
            self.again(error, &mut tries, &mut renewed).await?;
        }
        listed.add_odd(self.odd.take());
        if listed.len() == 0 && !address.key.is_empty() {
            let one = self.patiently(|| self.stat(&address.key)).await?;
            return Ok(Listing::of(vec![one]));
        }
        Ok(listed)
    }

    /// Waits before a retry. Returns the error if no retry is left, or if a retry cannot help.
    async fn again(
        &self,
        error: StoreError,
        tries: &mut u32,
        renewed: &mut bool,
    ) -> Result<(), StoreError> {
        if matches!(error, StoreError::Expired(_)) && !*renewed {
            *renewed = true;
            return self.renew().await;
        }
        if !error.may_pass() || *tries >= self.patience.tries {
            return Err(self.patience.with_timeout(error));
        }
        *tries += 1;
        tokio::time::sleep(self.patience.before(*tries)).await;
        Ok(())
    }

    async fn patiently<T, F: Future<Output = Result<T, StoreError>>>(
        &self,
        ask: impl Fn() -> F,
    ) -> Result<T, StoreError> {
        let (mut tries, mut renewed) = (0, false);
        loop {
            match ask().await {
                Ok(answer) => return Ok(answer),
                Err(error) => self.again(error, &mut tries, &mut renewed).await?,
            }
        }
    }

    pub async fn stat(&self, key: &str) -> Result<Entry, StoreError> {
        let (store, path) = (self.store(), path(key)?);
        let meta = tokio::time::timeout(self.patience.silence, store.head(&path)).await;
        let meta = meta.map_err(|_| StoreError::Silent(0))?;
        meta.map(entry)
            .map_err(|error| StoreError::of_store(&error))
    }

    /// Returns all bytes of an object, which are all from one version.
    pub async fn whole(&self, key: &str) -> Result<Vec<u8>, StoreError> {
        self.patiently(|| self.whole_once(key)).await
    }

    async fn whole_once(&self, key: &str) -> Result<Vec<u8>, StoreError> {
        let wanted = self.stat(key).await?;
        let mut bytes = Vec::new();
        let beyond = |found: u64| found > Limit::StoreFile.get();
        if wanted.length.is_some_and(beyond) {
            return Err(StoreError::Full(Limit::StoreFile.message()));
        }
        let mut body = self.read(&wanted, 0, None).await?;
        loop {
            let next = tokio::time::timeout(self.patience.silence, body.bytes.next()).await;
            let Some(part) = next.map_err(|_| StoreError::Silent(0))? else {
                break;
            };
            let part = part?;
            if beyond((bytes.len() + part.len()) as u64) {
                return Err(StoreError::Full(Limit::StoreFile.message()));
            }
            bytes.extend_from_slice(&part);
        }
        let found = bytes.len() as u64;
        match wanted.length {
            Some(expected) if expected != found => Err(StoreError::Length { found, expected }),
            _ => Ok(bytes),
        }
    }

    /// Creates an object; returns false if it already exists.
    pub async fn create(&self, key: &str, bytes: Bytes) -> Result<bool, StoreError> {
        self.patiently(|| self.create_once(key, bytes.clone()))
            .await
    }

    async fn create_once(&self, key: &str, bytes: Bytes) -> Result<bool, StoreError> {
        let (store, path) = (self.store(), path(key)?);
        let pieces = u32::try_from(bytes.len() as u64 / PIECE).unwrap_or(u32::MAX);
        let patience = self
            .patience
            .silence
            .saturating_mul(pieces.saturating_add(1));
        let options = PutOptions {
            mode: PutMode::Create,
            ..PutOptions::default()
        };
        let asked = store.put_opts(&path, bytes.into(), options);
        let done = tokio::time::timeout(patience, asked).await;
        let done = done.map_err(|_| StoreError::Silent(0))?;
        match done.map_err(|error| StoreError::of_store(&error)) {
            Ok(_) => Ok(true),
            Err(StoreError::Exists | StoreError::Replaced) => match self.stat(key).await {
                Ok(_) => Ok(false),
                // Another program's attempt to create the object has failed. Retry.
                Err(StoreError::Absent) => Err(StoreError::Busy("409".to_owned())),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    pub async fn read(
        &self,
        wanted: &Entry,
        from: u64,
        to: Option<u64>,
    ) -> Result<Body, StoreError> {
        let rest = (from > 0).then_some(GetRange::Offset(from));
        let options = GetOptions {
            if_match: wanted.etag.clone(),
            range: to.map(|to| GetRange::Bounded(from..to)).or(rest),
            ..GetOptions::default()
        };
        let (store, path) = (self.store(), path(&wanted.key)?);
        let asked = store.get_opts(&path, options);
        let answer = tokio::time::timeout(self.patience.silence, asked).await;
        let answer = answer.map_err(|_| StoreError::Silent(0))?;
        let answer = answer.map_err(|error| StoreError::of_store(&error))?;
        let (found, from) = (entry(answer.meta.clone()), answer.range.start);
        let bytes = answer.into_stream();
        Ok(Body {
            entry: found,
            from,
            bytes: bytes
                .map(|part| part.map_err(|error| StoreError::of_store(&error)))
                .boxed(),
        })
    }
}

fn path(key: &str) -> Result<Path, StoreError> {
    let wrong = StoreError::Address("the store does not allow such a name");
    Path::parse(key).map_err(|_| wrong)
}

pub(super) fn entry(meta: ObjectMeta) -> Entry {
    Entry {
        key: meta.location.to_string(),
        length: Some(meta.size),
        // Drop an etag that is invalid in a header.
        etag: meta
            .e_tag
            .map(quoted)
            .filter(|etag| etag.parse::<HeaderValue>().is_ok()),
        modified: past(Some(SystemTime::from(meta.last_modified))),
        known: None,
    }
}

/// Adds the quotes that etags have in headers; Azure's listings omit them.
fn quoted(etag: String) -> String {
    if etag.ends_with('"') {
        etag
    } else {
        format!("\"{etag}\"")
    }
}

async fn build(
    address: &Address,
    environment: Environment,
    patience: RetryPolicy,
    odd: &RemovedNames,
) -> Result<Client, StoreError> {
    let retry = RetryConfig {
        max_retries: INNER_TRIES,
        retry_timeout: patience.silence.saturating_mul(4),
        ..RetryConfig::default()
    };
    let connector = CountingConnector {
        silence: patience.silence,
        odd: odd.clone(),
    };
    let made = match address.scheme {
        Scheme::Gs => google(address, &environment, patience, retry)
            .with_http_connector(connector)
            .build()
            .map(shared),
        Scheme::Az => azure(address, &environment, patience, retry)
            .with_http_connector(connector)
            .build()
            .map(shared),
        _ => amazon(address, environment, patience, retry)
            .await?
            .with_http_connector(connector)
            .build()
            .map(shared),
    };
    made.map_err(|error| match StoreError::of_store(&error) {
        known @ (StoreError::Wrong(_) | StoreError::Connection) => known,
        _ => StoreError::Wrong("the environment variables contradict each other".to_owned()),
    })
}

fn shared(store: impl ObjectStore + PaginatedListStore) -> Client {
    let objects = Arc::new(store);
    Client {
        pages: Arc::clone(&objects) as Arc<dyn PaginatedListStore>,
        objects,
    }
}

/// Returns the connection options. Environment variables are applied later.
fn options(patience: RetryPolicy) -> ClientOptions {
    // No total timeout, because a large object may take long while bytes arrive.
    ClientOptions::new()
        .with_timeout_disabled()
        .with_read_timeout(patience.silence)
        .with_connect_timeout(CONNECT)
}

async fn amazon(
    address: &Address,
    mut environment: Environment,
    patience: RetryPolicy,
    retry: RetryConfig,
) -> Result<AmazonS3Builder, StoreError> {
    let of_profile = profile::settings(&|name| environment.get(name).map(str::to_owned));
    let has_key = environment.get("AWS_ACCESS_KEY_ID").is_some();
    let is_placed = environment.get("AWS_DEFAULT_REGION").is_some();
    for (name, value) in &of_profile {
        let is_told = match *name {
            "AWS_REGION" => is_placed,
            "AWS_ENDPOINT_URL" => false,
            // Do not mix parts of two different credentials.
            _ => has_key,
        };
        if !is_told {
            environment.or_set(name, value);
        }
    }
    let endpoint = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
    let endpoint = endpoint.iter().find_map(|name| environment.get(name));
    let allows = environment
        .get("AWS_ALLOW_HTTP")
        .is_some_and(|value| value != "false");
    if endpoint.is_some_and(|endpoint| endpoint.starts_with("http://")) && !allows {
        return Err(StoreError::Address(
            "AWS_ENDPOINT_URL is not encrypted; AWS_ALLOW_HTTP=true allows that",
        ));
    }
    let has_region = ["AWS_REGION", "AWS_DEFAULT_REGION"]
        .iter()
        .any(|name| environment.get(name).is_some());
    let needs_region = endpoint.is_none() && !has_region;
    let mut builder = AmazonS3Builder::new().with_client_options(options(patience));
    for (name, value) in environment.starting("AWS_") {
        if let Ok(key) = name.to_ascii_lowercase().parse() {
            builder = builder.with_config(key, value);
        }
    }
    if needs_region {
        // If the region cannot be determined, assume the default region.
        let found = resolve_bucket_region(&address.place, &options(patience)).await;
        builder = builder.with_region(found.unwrap_or_else(|_| "us-east-1".to_owned()));
    }
    if lacks_credentials(&environment, &AMAZON, "AWS_SKIP_SIGNATURE") {
        builder = builder.with_skip_signature(true);
    }
    Ok(builder.with_bucket_name(&address.place).with_retry(retry))
}

fn google(
    address: &Address,
    environment: &Environment,
    patience: RetryPolicy,
    retry: RetryConfig,
) -> GoogleCloudStorageBuilder {
    let mut builder = GoogleCloudStorageBuilder::new().with_client_options(options(patience));
    for (name, value) in environment.starting("GOOGLE_") {
        if let Ok(key) = name.to_ascii_lowercase().parse() {
            builder = builder.with_config(key, value);
        }
    }
    let kept = etcetera::home_dir().map(|home| {
        let file = home.join(".config/gcloud/application_default_credentials.json");
        file.exists()
    });
    let says = environment.get("GOOGLE_SKIP_SIGNATURE");
    let is_said = says.is_some_and(|value| value != "false");
    let has_identity = kept.unwrap_or(false);
    if is_said || !has_identity && lacks_credentials(environment, &GOOGLE, "GOOGLE_SKIP_SIGNATURE")
    {
        // Writing needs credentials, even if requests are not signed.
        let nobody = GcpCredential {
            bearer: "nobody".to_owned(),
        };
        let nobody = StaticCredentialProvider::new(nobody);
        builder = builder
            .with_skip_signature(true)
            .with_credentials(Arc::new(nobody));
    }
    builder.with_bucket_name(&address.place).with_retry(retry)
}

fn azure(
    address: &Address,
    environment: &Environment,
    patience: RetryPolicy,
    retry: RetryConfig,
) -> MicrosoftAzureBuilder {
    let mut builder = MicrosoftAzureBuilder::new().with_client_options(options(patience));
    for (name, value) in environment.starting("AZURE_") {
        if let Ok(key) = name.to_ascii_lowercase().parse() {
            builder = builder.with_config(key, value);
        }
    }
    let uses_tool = environment.get("AZURE_USE_AZURE_CLI").is_some();
    // The emulator has a publicly known account and key.
    let emulator = environment.get("AZURE_STORAGE_USE_EMULATOR");
    let is_emulator = emulator.is_some_and(|value| value != "false");
    let has_identity = uses_tool || is_emulator;
    if !has_identity && lacks_credentials(environment, &AZURE, "AZURE_SKIP_SIGNATURE") {
        builder = builder.with_skip_signature(true);
    }
    builder
        .with_container_name(&address.place)
        .with_retry(retry)
}

/// Returns true if neither the environment nor the machine has credentials. Access is then
/// anonymous.
fn lacks_credentials(environment: &Environment, identities: &[&str], skip: &str) -> bool {
    let has_identity = identities
        .iter()
        .any(|name| environment.get(name).is_some());
    environment.get(skip).is_none() && !has_identity && !is_on_a_cloud()
}

/// Returns true if the machine has a cloud's metadata service.
fn is_on_a_cloud() -> bool {
    let place = SocketAddr::from(METADATA);
    TcpStream::connect_timeout(&place, METADATA_WAIT).is_ok()
}
