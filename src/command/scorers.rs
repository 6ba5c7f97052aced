//! `eyechart scorers`: where the harness's scores and Eyechart's own rule disagree.

use super::output::Origin;
use super::{Failure, Status, input, output};
use cli::Scorers;
use engine::{Detail, Disagreements};
use record::{Row, Scoring};
use report::{Disagreement, Example};

/// Runs the command.
pub fn run(args: &Scorers) -> Result<Status, Failure> {
    let opened = input::open_lens(&args.input, &args.lens)?;
    if opened.table().is_empty() {
        return Err(Failure::new(
            "published scores have no samples to score again",
        ));
    }
    let Disagreements { found, examples } = opened.ask(&engine::Scorers::of(args))?;
    let example = |row: Row| {
        let detail = opened.ask(&Detail {
            row,
            scoring: Scoring::Harness,
            with_maps: false,
        })?;
        Ok(detail.ok().and_then(Example::of))
    };
    let examples: Result<Vec<Option<Example>>, Failure> =
        examples.into_iter().map(example).collect();
    let document = Disagreement {
        examples: examples?.into_iter().flatten().collect(),
        found,
    };
    output::write(&document, &args.output, &Origin::of(&opened, &args.lens))?;
    Ok(Status::Done)
}
