//! Holds the open logs.

use std::path::{Path, PathBuf};

use super::roots::Roots;
use crate::Failure;
use crate::cli::{self, Mcp};
use crate::input::{LoadedInput, RequiredData, ResolvedInput};
use base::job::FOR_GOOD;
use engine::{Engine, Memory, Scope};

/// The logs that questions refer to, loaded at the first question.
pub struct OpenData {
    input: cli::Input,
    roots: Roots,
    allows_addresses: bool,
    /// Path that the assistant opened; `None` for the paths of the command line.
    named: Option<PathBuf>,
    loaded: Option<LoadedInput>,
}

impl OpenData {
    /// Checks the paths of the command line; reads nothing yet.
    pub fn new(args: &Mcp) -> Result<Self, Failure> {
        let input = &args.input;
        let named = match ResolvedInput::of(input) {
            // Without `sample_runs`, an assistant can still open paths below the working directory.
            Err(_) if input.paths.is_empty() => ResolvedInput::nothing(input)?,
            found => found?,
        };
        let mut roots = named.request.paths;
        if input.paths.is_empty() {
            // Some clients start their servers in the root folder, which would allow access to all
            // files.
            let here = std::env::current_dir().ok();
            roots.extend(here.filter(|here| here.parent().is_some()));
        }
        Ok(Self {
            input: input.clone(),
            roots: Roots::new(roots),
            allows_addresses: args.allow_addresses,
            named: None,
            loaded: None,
        })
    }

    /// Returns the paths that may be opened, as named by the user.
    pub fn roots(&self) -> &[PathBuf] {
        self.roots.named()
    }

    /// Opens a path or an address; without one, the paths of the command line. On failure, the
    /// previous data stays open.
    pub fn open(&mut self, path: Option<&str>) -> Result<(), Failure> {
        let named = match path {
            None => None,
            Some(path) if store::is_address(Path::new(path)) => {
                if !self.allows_addresses {
                    let failure = Failure::new("this server does not open addresses");
                    return Err(failure.hint("the user may start it with --allow-addresses"));
                }
                Some(PathBuf::from(path))
            }
            Some(path) => Some(self.roots.find(path)?),
        };
        let loaded = self.load(named.clone())?;
        self.named = named;
        self.loaded = Some(loaded);
        Ok(())
    }

    fn load(&self, named: Option<PathBuf>) -> Result<LoadedInput, Failure> {
        let mut input = self.input.clone();
        if let Some(path) = named {
            input.paths = vec![path];
        }
        ResolvedInput::of(&input)?.open_to(&RequiredData::Sums)
    }

    /// Returns the open logs; loads them if necessary.
    pub fn get(&mut self) -> Result<&LoadedInput, Failure> {
        let loaded = match self.loaded.take() {
            Some(loaded) => loaded,
            None => self.load(self.named.clone())?,
        };
        Ok(self.loaded.insert(loaded))
    }

    /// Reads everything again before the next question.
    pub fn unload(&mut self) {
        self.loaded = None;
    }
}

/// Returns the engine with the rows of a scope. For a large data set, loads them into `memory`.
pub fn rows_engine<'a>(
    opened: &'a LoadedInput,
    scope: &Scope,
    memory: &'a mut Option<Memory>,
) -> Result<&'a dyn Engine, Failure> {
    *memory = opened.engine.in_memory(scope, &FOR_GOOD)?;
    Ok(match memory {
        Some(memory) => &*memory,
        None => &*opened.engine,
    })
}
