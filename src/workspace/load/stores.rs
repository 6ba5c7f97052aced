//! Addresses among the paths of a request: what lies there is brought to this machine, and read like any other folder.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clickhouse::ClickHouseError;
use limits::Limit;
use record::{Problem, Source};
use store::{Address, Bring, Brought, StoreError, Trouble};

use super::{Event, Progress, Request, failed};
use crate::database::{Database, OpenDatabase};
use crate::publish::PublishError;

/// Format name of an address of which nothing could be had.
pub const UNREACHABLE: &str = "unreachable";

/// The paths of a request as they are on this machine.
#[derive(Debug, Default)]
pub struct Local {
    /// What is searched for logs.
    pub paths: Vec<PathBuf>,
    /// Which path of the request each of them is, counted from 0.
    pub roots: Vec<usize>,
    /// Folders with data sets and pictures.
    pub data: Vec<PathBuf>,
    /// What could not be had.
    pub troubles: Vec<Source>,
    /// The addresses that were opened, and which path of the request each of them is.
    pub addresses: Vec<(Address, usize)>,
    /// The database that is opened and whose rows are not here.
    pub database: Option<Arc<OpenDatabase>>,
}

/// What the last look at addresses that are open gave, by the number of the path.
#[derive(Clone, Debug, Default)]
pub struct Looks(BTreeMap<usize, Look>);

/// What is known of one address.
#[derive(Clone, Debug)]
struct Look {
    /// What it gave last, if it ever gave anything.
    brought: Option<Brought>,
    /// Why it gave nothing now.
    why: Option<String>,
}

impl Looks {
    /// What the cache holds of addresses that were opened.
    #[must_use]
    pub fn of_copies(addresses: &[(usize, Address)]) -> Self {
        let bring = Bring::usual(reader::fetched_first).ok();
        let look = |(which, address): &(usize, Address)| {
            let path = bring.as_ref()?.folder(address);
            let brought = Brought {
                path,
                ..Brought::default()
            };
            let is_here = brought.path.exists() || reader::is_file(&brought.path);
            let look = Look {
                brought: Some(brought),
                why: None,
            };
            is_here.then_some((*which, look))
        };
        Self(addresses.iter().filter_map(look).collect())
    }

    /// Takes what a look at an address gave.
    pub fn put(&mut self, which: usize, looked: Result<Brought, String>) {
        let known = self.0.remove(&which).and_then(|look| look.brought);
        let look = match looked {
            Ok(brought) => Look {
                brought: Some(brought),
                why: None,
            },
            Err(why) => Look {
                brought: known,
                why: Some(why),
            },
        };
        self.0.insert(which, look);
    }

    /// Returns true if nothing was looked at.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What stands for an address without asking its store.
    fn of(&self, which: usize) -> Option<Result<Brought, Why>> {
        let look = self.0.get(&which)?;
        Some(match (&look.brought, &look.why) {
            (Some(brought), _) => Ok(brought.clone()),
            (None, why) => Err(Why::Said(why.clone().unwrap_or_default())),
        })
    }
}

/// How far the fetching of one address is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fetching {
    /// Which of the addresses of the request, those of `--data` behind the others, counted from 0.
    pub which: usize,
    /// How far it is.
    pub progress: store::Progress,
}

/// Brings what the addresses of a request name; `None` if it was stopped. `without_rows` allows that rows of a database stay
/// there where they are too many.
pub fn bring(
    request: &Request,
    without_rows: bool,
    on_event: &mut dyn FnMut(Event) -> ControlFlow<()>,
) -> Option<Local> {
    let mut local = Local::default();
    let alone =
        without_rows && request.paths.len() == 1 && request.data.is_empty() && request.is_plain();
    let all = request.paths.iter().chain(&request.data);
    for (which, path) in all.enumerate() {
        let is_data = which >= request.paths.len();
        let Some(address) = Address::of(path) else {
            local.take(path.clone(), which, is_data);
            continue;
        };
        let mut told = |progress| on_event(Event::Progress(Progress::of_fetch(which, progress)));
        let root = if is_data { 0 } else { which };
        let looks = request.looked.as_ref().filter(|_| !is_data);
        let looked = looks.and_then(|looks| looks.of(which));
        let brought = address.map_err(Why::from).and_then(|address| {
            let brought = match looked {
                Some(looked) => (looked?, None),
                None => fetch(&address, is_data, alone, &mut told)?,
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
            Err(Why::Stopped) => return None,
            Err(Why::Said(why)) => local.troubles.push(Source {
                root,
                format: UNREACHABLE,
                ..failed(Problem::file(shown(path), why))
            }),
        }
    }
    Some(local)
}

/// Why nothing of an address can be had.
enum Why {
    Stopped,
    Said(String),
}

impl From<StoreError> for Why {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Stopped => Self::Stopped,
            other => Self::Said(other.to_string()),
        }
    }
}

impl From<PublishError> for Why {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Database {
                why: ClickHouseError::Stopped,
                ..
            } => Self::Stopped,
            // The address is told beside it.
            PublishError::Database { why, .. } => Self::Said(why.to_string()),
            PublishError::Place { why, .. } => Self::Said(why),
            other => Self::Said(other.to_string()),
        }
    }
}

/// Brings what an address names; of a database that is `alone` and has more predictions than are read whole, only what its
/// runs tell beside them.
fn fetch(
    address: &Address,
    is_data: bool,
    alone: bool,
    told: &mut dyn FnMut(store::Progress) -> ControlFlow<()>,
) -> Result<(Brought, Option<Arc<OpenDatabase>>), Why> {
    let bring = Bring::usual(if is_data {
        reader::fetched_whole
    } else {
        reader::fetched_first
    })?;
    let Some(database) = Database::of(address) else {
        return Ok((bring.bring(address, told)?, None));
    };
    let database = database.map_err(|why| Why::Said(why.to_string()))?;
    let database = OpenDatabase::new(database, address, &bring)?;
    let is_large = alone && database.n() > Limit::WholeSet.get();
    let (path, rows) = database.bring(!is_large, told)?;
    let brought = Brought {
        path,
        objects: rows.runs,
        fetched: rows.fetched,
        ..Brought::default()
    };
    Ok((brought, is_large.then(|| Arc::new(database))))
}

/// What could not be had of an address, each as a source of its own.
pub fn troubled(troubles: Vec<Trouble>, root: usize) -> impl Iterator<Item = Source> {
    let troubles = troubles.into_iter();
    troubles.map(move |trouble| Source {
        root,
        ..failed(Problem::file(trouble.address, trouble.why))
    })
}

impl Local {
    /// What could not be had of the addresses since this was asked, and whether something was replaced meanwhile. Without
    /// `is_more` everything is read that is read of them.
    pub fn lacked(&self, is_more: bool) -> (Vec<Source>, bool) {
        let (mut all, mut is_replaced) = (Vec::new(), false);
        for (address, root) in &self.addresses {
            let lacked = store::lacked(address, is_more);
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

/// `s3://team/runs: 3 of 12 objects`, or how many are listed so far.
#[must_use]
pub fn fetching(request: &Request, fetch: &Fetching) -> String {
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
        format!("{address}: listing, {}", format::counted(listed, "object"))
    } else {
        format!(
            "{address}: {objects} of {}",
            format::counted(all_objects, "object")
        )
    }
}

/// An address as it may be shown: of a wrong one, which may hold a secret, only what kind it is.
#[must_use]
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

/// Where what a path names is on this machine: for an address, the folder with its copies.
#[must_use]
pub fn local(path: &Path) -> PathBuf {
    let Some(Ok(address)) = Address::of(path) else {
        return path.to_path_buf();
    };
    let bring = Bring::usual(reader::fetched_first);
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
        let mut fetch = Fetching {
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
        let local = bring(&request, false, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(local.paths, [PathBuf::from("runs")]);
        assert_eq!((local.roots, local.data), (vec![1], request.data));
        let [trouble] = local.troubles.as_slice() else {
            panic!("{:?}", local.troubles);
        };
        assert_eq!(trouble.format, UNREACHABLE);
        assert!(!format!("{trouble:?}").contains("SECRET"));
    }
}
