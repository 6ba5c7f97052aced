//! Tools whose answers are tables of the commands: summary, scores, comparison, subgroups, verdicts.

use serde_json::{Map, Value as Json, json};

use super::answer::ToolAnswer;
use super::arguments::{self, ComparisonTable, Metrics, PageRequest, ReportTable, VerdictTable};
use super::toolbox::Toolbox;
use crate::Failure;
use crate::input::LoadedInput;
use analysis::slices::{Outcome, Search, SearchedModels};
use analysis::{GateSplit, Score, Threshold};
use base::job::FOR_GOOD;
use engine::{Ask as _, CommandLine, Report, SliceSearchResult};
use report::{Document as _, GateReport, LabelAudit, SideBySide, SliceList, Summary};
use workspace::verdicts::Ledger;

type Arguments = Map<String, Json>;

/// Empty list of splits, for fast reports without subgroups.
const NO_SPLITS: &str = "";

/// Computes a report, without subgroups unless `by` names splits or is `None`.
fn report_of(opened: &LoadedInput, query: &Report, by: Option<String>) -> Result<Summary, Failure> {
    let query = Report {
        by,
        ..query.clone()
    };
    let prices = &opened.named.settings.prices;
    Ok(Summary::of(&*opened.engine, &query, prices, &FOR_GOOD)?)
}

/// Moves fields out of a document, in the order of `names`.
fn fields(document: &mut Json, names: &[&str]) -> Arguments {
    let field = |name: &&str| Some(((*name).to_owned(), document.get_mut(*name)?.take()));
    names.iter().filter_map(field).collect()
}

fn rows(list: &mut Json) -> Vec<Json> {
    match list.take() {
        Json::Array(rows) => rows,
        _ => Vec::new(),
    }
}

/// Creates an answer from a document: some of its fields, then one of its lists.
fn list_answer(
    command: Option<CommandLine>,
    mut document: Json,
    list: &str,
    head: &[&str],
) -> ToolAnswer {
    let rows = rows(&mut document[list]);
    ToolAnswer::list(command, fields(&mut document, head), rows)
}

/// Answers `summary`: the open data, and the average ranks.
pub fn summary(
    tools: &mut Toolbox,
    arguments: Arguments,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: arguments::Summary = arguments::parse(arguments)?;
    let query = Report::over(&arguments::scope(&asked.filter, asked.scoring)?);
    let opened = tools.data.get()?;
    let found = report_of(opened, &query, Some(NO_SPLITS.to_owned()))?;
    let request = &opened.named.request;
    let sources = &found.sources;
    let paths = request.paths.iter().map(|path| base::format::path(path));
    let head = json!({
        "open": paths.collect::<Vec<_>>(),
        "sources": {
            "n": sources.len(), "superseded": sources.iter().filter(|source| source.superseded).count(),
            "rows": sources.iter().map(|source| source.rows).sum::<u64>(),
            "problems": sources.iter().map(record::Source::problem_count).sum::<u64>(),
        },
        "benchmarks": benchmarks(&found.scores),
        "notes": found.preface(),
    });
    let mut document = found.json();
    let Json::Object(head) = head else {
        return Ok(ToolAnswer::default());
    };
    Ok(ToolAnswer::list(
        query.command(request),
        head,
        rows(&mut document["average_rank"]),
    ))
}

/// Returns the names of models and abilities by benchmark.
fn benchmarks(scores: &[Score]) -> Vec<Json> {
    let mut found: Vec<(&str, Vec<&str>, Vec<&str>)> = Vec::new();
    for score in scores {
        let name = score.benchmark.as_str();
        let at = found.iter().position(|(known, ..)| *known == name);
        let at = at.unwrap_or_else(|| {
            found.push((name, Vec::new(), Vec::new()));
            found.len() - 1
        });
        if let Some((_, models, abilities)) = found.get_mut(at) {
            for (names, name) in [(models, &score.model), (abilities, &score.ability)] {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
    }
    let described = found.into_iter().map(|(name, models, abilities)| {
        let [n_models, n_abilities] = [models.len(), abilities.len()];
        json!({
            "benchmark": name, "models": models, "abilities": abilities,
            "n_models": n_models, "n_abilities": n_abilities,
        })
    });
    described.collect()
}

/// Answers `scores`: a table of the report.
pub fn scores(
    tools: &mut Toolbox,
    arguments: Arguments,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: arguments::Scores = arguments::parse(arguments)?;
    let splits = asked.table == ReportTable::Subgroups;
    if asked.by.is_some() && !splits {
        return Err(Failure::usage("`by` works only with the table `subgroups`"));
    }
    let query = Report {
        by: asked.by,
        all: splits && asked.metric == Metrics::All,
        ..Report::over(&arguments::scope(&asked.filter, asked.scoring)?)
    };
    let opened = tools.data.get()?;
    let by = if splits {
        query.by.clone()
    } else {
        Some(NO_SPLITS.to_owned())
    };
    let mut document = report_of(opened, &query, by)?.json();
    let list = asked.table.name();
    if asked.table == ReportTable::Scores
        && asked.metric == Metrics::Headline
        && let Some(rows) = document[list].as_array_mut()
    {
        rows.retain(|row| row["headline"] == true);
    }
    let command = query.command(&opened.named.request);
    Ok(list_answer(command, document, list, &["notes"]))
}

/// Answers `compare`: a paired comparison.
pub fn compare(
    tools: &mut Toolbox,
    arguments: Arguments,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: arguments::Compare = arguments::parse(arguments)?;
    for side in [&asked.a, &asked.b] {
        arguments::filter_without_files(side)?;
    }
    let splits = asked.table == ComparisonTable::Subgroups;
    if !splits && (asked.by.is_some() || asked.within.is_some()) {
        return Err(Failure::usage(
            "`by` and `within` work only with the table `subgroups`",
        ));
    }
    let query = engine::Compare {
        sides: [asked.a, asked.b],
        scope: arguments::scope(&asked.filter, asked.scoring)?,
        by: if splits {
            asked.by
        } else {
            Some(NO_SPLITS.to_owned())
        },
        within: asked.within,
        all: asked.metric == Metrics::All,
        threshold: asked.threshold.map_or(Threshold::None, Threshold::At),
        quick: false,
    };
    let opened = tools.data.get()?;
    let document = SideBySide::from(opened.ask(&query)?).json();
    let command = query.command(&opened.named.request);
    let head = ["a", "b", "warnings", "dropped", "differ_in", "q"];
    Ok(list_answer(command, document, asked.table.name(), &head))
}

/// Answers `gate`: decides whether a candidate is worse by more than a margin.
pub fn gate(
    tools: &mut Toolbox,
    arguments: Arguments,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: arguments::Gate = arguments::parse(arguments)?;
    for side in [&asked.base, &asked.candidate] {
        arguments::filter_without_files(side)?;
    }
    let margin = asked.worse_by.parse().map_err(Failure::usage)?;
    let by = match asked.by.as_deref() {
        None => GateSplit::default(),
        Some(name) => GateSplit::from_name(name)
            .ok_or_else(|| Failure::usage("`by` must be whole or ability"))?,
    };
    let query = engine::Gate {
        sides: [asked.base, asked.candidate],
        scope: arguments::scope(&asked.filter, asked.scoring)?,
        margins: vec![margin],
        by,
    };
    let opened = tools.data.get()?;
    let document = GateReport::from(opened.ask(&query)?).json();
    let command = query.command(&opened.named.request);
    let head = [
        "base",
        "candidate",
        "verdict",
        "warnings",
        "dropped",
        "family",
    ];
    Ok(list_answer(command, document, "rows", &head))
}

/// Answers `slices`: subgroups that differ from the rest.
pub fn slices(
    tools: &mut Toolbox,
    arguments: Arguments,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: arguments::Slices = arguments::parse(arguments)?;
    let usual = Search::default();
    let q = asked.q.unwrap_or(usual.q);
    if !(q > 0.0 && q < 1.0) {
        return Err(Failure::usage("`q` must be between 0 and 1"));
    }
    let who = match (asked.model, asked.compare) {
        (Some(_), Some(_)) => return Err(Failure::usage("give `model` or `compare`, not both")),
        (Some(model), None) => SearchedModels::Model(model),
        (None, Some([a, b])) => SearchedModels::Pair(a, b),
        (None, None) => SearchedModels::Everyone,
    };
    let outcome = match asked.outcome.as_deref() {
        None => Outcome::default(),
        Some(name) => Outcome::from_name(name)
            .ok_or_else(|| Failure::usage("`outcome` must be score, unreadable or wrong_label"))?,
    };
    if outcome == Outcome::WrongLabel && !matches!(who, SearchedModels::Everyone) {
        return Err(Failure::usage(
            "labels are the same for every model: with wrong_label, give no `model` or `compare`",
        ));
    }
    let query = engine::Slices {
        scope: arguments::scope(&asked.filter, asked.scoring)?,
        search: Search {
            who,
            outcome,
            q,
            ..usual
        },
    };
    let opened = tools.data.get()?;
    let SliceSearchResult { search, found } = opened.ask(&query)?;
    let document = SliceList { search, found }.json();
    let command = query.command(&opened.named.request);
    let head = [
        "family", "q", "seed", "model", "compare", "outcome", "found",
    ];
    Ok(list_answer(command, document, "slices", &head))
}

/// Answers `verdicts`: the label audit.
pub fn verdicts(
    tools: &mut Toolbox,
    arguments: Arguments,
    _: PageRequest,
) -> Result<ToolAnswer, Failure> {
    let asked: arguments::Verdicts = arguments::parse(arguments)?;
    let query = engine::Audit {
        scope: arguments::scope(&asked.filter, asked.scoring)?,
        author: asked.author,
        drop_ambiguous: asked.drop_ambiguous,
        quick: false,
    };
    let opened = tools.data.get()?;
    let ledger = Ledger::open(&opened.named.audit(None));
    let mut document = LabelAudit {
        author: query.author.clone(),
        findings: *opened.ask(&query)?,
        files: ledger.files().map(base::format::path).collect(),
        problems: ledger.problems(),
    }
    .json();
    let list = asked.table.name();
    if matches!(
        asked.table,
        VerdictTable::Scores | VerdictTable::AverageRank
    ) {
        document[list] = document["without_flagged"][list].take();
    }
    let command = query.command(&opened.named.request);
    let head = [
        "author",
        "samples",
        "audited",
        "counts",
        "error_rate",
        "error_rate_ci",
        "rule_of_three",
        "more_for_0.05",
        "weighted",
        "drawn",
        "not_in_logs",
        "files",
    ];
    Ok(list_answer(command, document, list, &head))
}
