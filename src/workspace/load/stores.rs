//! Downloads the addresses of a request. Then they are read like local folders.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::limits::Limit;
use record::{Problem, Source};
use store::clickhouse::ClickHouseError;
use store::{Address, DownloadResult, Downloader, ReadState, StoreError, Trouble};

use super::{Event, Progress, Request, failed};
use crate::database::{Database, Extent, OpenDatabase};
use crate::publish::PublishError;

/// Format name of an address that could not be read.
pub const UNREACHABLE: &str = "unreachable";

/// Local paths of a request.
#[derive(Debug, Default)]
pub struct LocalPaths {
    /// Paths to search for logs.
    pub paths: Vec<PathBuf>,
    /// Index of each path in the request, from 0.
    pub roots: Vec<usize>,
    /// Folders with data sets and pictures.
    pub data: Vec<PathBuf>,
    /// Failed downloads.
    pub troubles: Vec<Source>,
    /// Opened addresses, each with the index of its path in the request.
    pub addresses: Vec<(Address, usize)>,
    /// The opened database whose rows were not downloaded; `None` if there is none.
    pub database: Option<Arc<OpenDatabase>>,
}

/// Latest results of polling open addresses, by index of the path.
#[derive(Clone, Debug, Default)]
pub struct LatestPolls(BTreeMap<usize, AddressState>);

/// Latest state of one address.
#[derive(Clone, Debug)]
struct AddressState {
    /// Latest successful result; `None` if there is none.
    brought: Option<DownloadResult>,
    /// Why the latest poll failed; `None` if it succeeded.
    why: Option<String>,
}

impl LatestPolls {
    /// Returns results that consist of the cached copies of opened addresses.
    pub fn of_copies(addresses: &[(usize, Address)]) -> Self {
        let bring = Downloader::usual(reader::fetched_first).ok();
        let state = |(which, address): &(usize, Address)| {
            let path = bring.as_ref()?.folder(address);
            let brought = DownloadResult {
                path,
                ..DownloadResult::default()
            };
            let is_here = brought.path.exists() || reader::is_file(&brought.path);
            let state = AddressState {
                brought: Some(brought),
                why: None,
            };
            is_here.then_some((*which, state))
        };
        Self(addresses.iter().filter_map(state).collect())
    }

    /// Stores the result of polling an address.
    pub fn put(&mut self, which: usize, polled: Result<DownloadResult, String>) {
        let known = self.0.remove(&which).and_then(|state| state.brought);
        let state = match polled {
            Ok(brought) => AddressState {
                brought: Some(brought),
                why: None,
            },
            Err(why) => AddressState {
                brought: known,
                why: Some(why),
            },
        };
        self.0.insert(which, state);
    }

    /// Returns true if there are no results.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the result with which the store need not be requested; `None` if there is none.
    fn get(&self, which: usize) -> Option<Result<DownloadResult, OpenFailure>> {
        let state = self.0.get(&which)?;
        Some(match (&state.brought, &state.why) {
            (Some(brought), _) => Ok(brought.clone()),
            (None, why) => Err(OpenFailure::Message(why.clone().unwrap_or_default())),
        })
    }
}

/// Progress of downloading one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownloadProgress {
    /// Index of the address in the request, from 0. Addresses of `--data` come last.
    pub which: usize,
    /// Progress of the download.
    pub progress: store::Progress,
}

/// How many rows of a database are downloaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatabaseRows {
    /// All of them.
    All,
    /// All rows, or no rows if there are too many.
    UpToLimit,
}

/// Downloads the addresses of a request. `None` if stopped.
pub fn download(
    request: &Request,
    rows: DatabaseRows,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Option<LocalPaths> {
    let mut local = LocalPaths::default();
    let alone = rows == DatabaseRows::UpToLimit
        && request.paths.len() == 1
        && request.data.is_empty()
        && request.is_plain();
    let all = request.paths.iter().chain(&request.data);
    for (which, path) in all.enumerate() {
        let is_data = which >= request.paths.len();
        let Some(address) = Address::of(path) else {
            local.take(path.clone(), which, is_data);
            continue;
        };
        let mut on_progress =
            |progress| on_event(Event::Progress(Progress::of_fetch(which, progress)));
        let root = if is_data { 0 } else { which };
        let polls = request.polls.as_ref().filter(|_| !is_data);
        let polled = polls.and_then(|polls| polls.get(which));
        let brought = address.map_err(OpenFailure::from).and_then(|address| {
            let brought = match polled {
                Some(polled) => (polled?, None),
                None => fetch(&address, is_data, alone, &mut on_progress)?,
            };
            Ok((address, brought))
        });
        match brought {
            Ok((address, (brought, database))) => {
                local.addresses.push((address, root));
                local.database = database;
                tracing::info!(
                    objects = brought.objects,
                    fetched = brought.fetched,
                    bytes = brought.bytes,
                    "brought"
                );
                local.troubles.extend(troubled(brought.troubles, root));
                local.take(brought.path, which, is_data);
            }
            Err(OpenFailure::Stopped) => return None,
            Err(OpenFailure::Message(why)) => local.troubles.push(Source {
                root,
                format: UNREACHABLE,
                ..failed(Problem::file(shown(path), why))
            }),
        }
    }
    Some(local)
}

/// Why an address could not be read.
enum OpenFailure {
    Stopped,
    Message(String),
}

impl From<StoreError> for OpenFailure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Stopped => Self::Stopped,
            other => Self::Message(other.to_string()),
        }
    }
}

impl From<PublishError> for OpenFailure {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Database {
                why: ClickHouseError::Stopped,
                ..
            } => Self::Stopped,
            // The caller adds the address to the message.
            PublishError::Database { why, .. } => Self::Message(why.to_string()),
            PublishError::Place { why, .. } => Self::Message(why),
            other => Self::Message(other.to_string()),
        }
    }
}

/// Downloads an address. For a single database with too many predictions, downloads only run
/// settings and published scores.
fn fetch(
    address: &Address,
    is_data: bool,
    alone: bool,
    on_progress: &mut dyn FnMut(store::Progress) -> ControlFlow<()>,
) -> Result<(DownloadResult, Option<Arc<OpenDatabase>>), OpenFailure> {
    let bring = Downloader::usual(if is_data {
        reader::fetched_whole
    } else {
        reader::fetched_first
    })?;
    let Some(database) = Database::of(address) else {
        return Ok((bring.download(address, on_progress)?, None));
    };
    let database = database.map_err(|why| OpenFailure::Message(why.to_string()))?;
    let database = OpenDatabase::new(database, address, &bring)?;
    let is_large = alone && database.n() > Limit::WholeSet.get();
    let extent = if is_large {
        Extent::Told
    } else {
        Extent::Whole
    };
    let (path, rows) = database.download(&extent, on_progress)?;
    let brought = DownloadResult {
        path,
        objects: rows.runs,
        fetched: rows.fetched,
        ..DownloadResult::default()
    };
    Ok((brought, is_large.then(|| Arc::new(database))))
}

/// Converts the failed downloads of an address to sources.
pub fn troubled(troubles: Vec<Trouble>, root: usize) -> impl Iterator<Item = Source> {
    let troubles = troubles.into_iter();
    troubles.map(move |trouble| Source {
        root,
        ..failed(Problem::file(trouble.address, trouble.why))
    })
}

impl LocalPaths {
    /// Returns the failures since the last call, and true if an object was replaced.
    pub fn failures_since_last_call(&self, state: ReadState) -> (Vec<Source>, bool) {
        let (mut all, mut is_replaced) = (Vec::new(), false);
        for (address, root) in &self.addresses {
            let lacked = store::failures_since_last_call(address, state);
            is_replaced |= lacked.is_replaced;
            all.extend(troubled(lacked.troubles, *root));
        }
        (all, is_replaced)
    }

    fn take(&mut self, path: PathBuf, which: usize, is_data: bool) {
        if is_data {
            self.data.push(path);
        } else {
            self.paths.push(path);
            self.roots.push(which);
        }
    }
}

/// Formats the progress, for example `s3://team/runs: 3 of 12 objects`. During the listing, formats
/// the number of listed objects.
pub fn fetching(request: &Request, fetch: &DownloadProgress) -> String {
    let mut all = request.paths.iter().chain(&request.data);
    let address = all
        .nth(fetch.which)
        .map(|path| shown(path))
        .unwrap_or_default();
    let store::Progress {
        listed,
        objects,
        all_objects,
        ..
    } = fetch.progress;
    if all_objects == 0 {
        format!(
            "{address}: listing, {}",
            base::format::counted(listed, "object")
        )
    } else {
        format!(
            "{address}: {objects} of {}",
            base::format::counted(all_objects, "object")
        )
    }
}

/// Formats an address for display. An invalid address may contain a secret, so only its scheme is
/// shown.
pub fn shown(path: &Path) -> String {
    match Address::of(path) {
        None => path.display().to_string(),
        Some(Ok(address)) => address.to_string(),
        Some(Err(_)) => {
            let text = path.to_string_lossy();
            let kind = text.split("://").next().unwrap_or_default();
            format!("{kind}://…")
        }
    }
}

/// Returns the local path. For an address, this is the folder of its copies.
pub fn local(path: &Path) -> PathBuf {
    let Some(Ok(address)) = Address::of(path) else {
        return path.to_path_buf();
    };
    let bring = Downloader::usual(reader::fetched_first);
    bring.map_or_else(|_| path.to_path_buf(), |bring| bring.folder(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_address_is_shown_by_its_kind_alone() {
        assert_eq!(shown(Path::new("s3://team/runs/")), "s3://team/runs");
        assert_eq!(shown(Path::new("runs/a")), "runs/a");
        let wrong = shown(Path::new("https://me:SECRET@host/x"));
        assert_eq!(wrong, "https://…");
    }

    #[test]
    fn how_far_it_is_is_told_in_objects() {
        let request = Request {
            paths: vec!["runs".into(), "s3://team/x".into()],
            ..Request::default()
        };
        let mut fetch = DownloadProgress {
            which: 1,
            progress: store::Progress::default(),
        };
        assert_eq!(
            fetching(&request, &fetch),
            "s3://team/x: listing, 0 objects"
        );
        fetch.progress.all_objects = 1200;
        fetch.progress.objects = 3;
        assert_eq!(
            fetching(&request, &fetch),
            "s3://team/x: 3 of 1,200 objects"
        );
    }

    #[test]
    fn paths_keep_their_places_beside_addresses_that_cannot_be_opened() {
        let request = Request {
            paths: ["s3://a:SECRET@b/x", "runs"].map(PathBuf::from).into(),
            data: vec![PathBuf::from("data")],
            ..Request::default()
        };
        let local = download(&request, DatabaseRows::All, &mut |_| {
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(local.paths, [PathBuf::from("runs")]);
        assert_eq!((local.roots, local.data), (vec![1], request.data));
        let [trouble] = local.troubles.as_slice() else {
            panic!("{:?}", local.troubles);
        };
        assert_eq!(trouble.format, UNREACHABLE);
        assert!(!format!("{trouble:?}").contains("SECRET"));
    }
}
