//! Calls tools, and holds their shared data: the open logs and the last list.

use serde_json::{Map, Value as Json, json};

use super::answer::{ToolAnswer, failed};
use super::arguments::{self, PageRequest, checked};
use super::data::OpenData;
use super::model::AskAllowance;
use super::tools::{Permission, TOOLS, Tool};
use crate::Failure;
use crate::cli::Mcp;
use base::job::caught;
use base::manual::Page;

/// The tools of a server, with their data.
pub struct Toolbox {
    /// The open logs.
    pub data: OpenData,
    /// Author of stored verdicts; `None` if the assistant may not store verdicts.
    pub author: Option<String>,
    /// The model that the assistant may ask; `None` without `--allow-ask`.
    pub asking: Option<AskAllowance>,
    /// The last complete list, with its tool and arguments. The assistant often requests the next
    /// page.
    last: Option<(String, ToolAnswer)>,
}

impl Toolbox {
    /// Creates the tools that the command line allows.
    pub fn new(args: &Mcp) -> Result<Self, Failure> {
        Ok(Self {
            data: OpenData::new(args)?,
            author: args.allow_verdicts.then(|| args.author.clone()),
            asking: AskAllowance::of(args),
            last: None,
        })
    }

    /// Returns the allowed tools.
    fn tools(&self) -> impl Iterator<Item = &'static Tool> {
        TOOLS.iter().filter(|tool| match tool.permission {
            Permission::Reading => true,
            Permission::Verdicts => self.author.is_some(),
            Permission::Asking => self.asking.is_some(),
        })
    }

    /// Returns the descriptions of all allowed tools, for `tools/list`.
    pub fn list(&self) -> Vec<Json> {
        self.tools().map(Tool::json).collect()
    }

    /// Calls a tool; `None` for an unknown name.
    pub fn call(&mut self, name: &str, arguments: Map<String, Json>) -> Option<Json> {
        let tool = self.tools().find(|tool| tool.name == name)?;
        // A panic in a tool ends the call, but not the server.
        let result = caught("tool", || self.result(tool, arguments)).unwrap_or_else(|panic| {
            self.changed();
            Err(Failure::new(panic).hint("`open` reads the logs again"))
        });
        Some(result.unwrap_or_else(|failure| failed(&failure)))
    }

    fn result(&mut self, tool: &Tool, arguments: Map<String, Json>) -> Result<Json, Failure> {
        let mut arguments = checked(arguments)?;
        let page = if tool.has_pages {
            PageRequest::from_arguments(&mut arguments)?
        } else {
            PageRequest::from_arguments(&mut Map::new())?
        };
        let key = format!("{} {}", tool.name, Json::Object(arguments.clone()));
        if let Some((known, answer)) = &self.last
            && *known == key
            && page.from > 0
        {
            return answer.result(page);
        }
        let answer = (tool.call)(self, arguments, page)?;
        let result = answer.result(page);
        self.last = answer.is_whole().then_some((key, answer));
        result
    }

    /// Discards the loaded data and the last list, because the files have changed.
    pub fn changed(&mut self) {
        self.last = None;
        self.data.unload();
    }
}

/// Answers `manual`: a page of the manual. Without a topic, returns the first page.
pub fn manual(
    _: &mut Toolbox,
    arguments: Map<String, Json>,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let arguments::Manual { topic } = arguments::parse(arguments)?;
    let page = Page::named(topic.as_deref().unwrap_or("start")).map_err(|unknown| {
        let failure = Failure::usage("the manual has no such page");
        match unknown.nearest {
            Some(nearest) => failure.hint(format!("the nearest one is `{nearest}`")),
            None => failure.hint("`start`, `filters`, `words`, `numbers` and `ranks` are pages"),
        }
    })?;
    Ok(ToolAnswer {
        own_text: Some(page.text),
        ..ToolAnswer::default()
    })
}

/// Answers `open`: opens logs, and describes them as `summary` does.
pub fn open(
    tools: &mut Toolbox,
    arguments: Map<String, Json>,
    page: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let arguments::Open { path } = arguments::parse(arguments)?;
    tools.data.open(path.as_deref())?;
    tools.last = None;
    let mut answer = super::lists::summary(tools, Map::new(), page)?;
    let roots = tools.data.roots().iter();
    let roots: Vec<String> = roots.map(|path| base::format::path(path)).collect();
    answer.head.insert("may_open".to_owned(), json!(roots));
    Ok(answer)
}
