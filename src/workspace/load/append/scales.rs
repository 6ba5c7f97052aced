//! Detects models whose boxes seem to use two scales in one log.

use std::collections::BTreeMap;

use super::Append;
use format::compact;
use record::{ModelId, Problem};
use scorer::BoxScale;

/// Number of boxes per model taken as pixels and as thousandths.
#[derive(Debug, Default)]
pub(super) struct Scales(BTreeMap<ModelId, [u64; 2]>);

impl Append<'_> {
    /// Counts a box whose scale was inferred from its picture.
    pub(super) fn count_scale(&mut self, model: ModelId, scale: Option<BoxScale>) {
        let place = match scale {
            None => return,
            Some(BoxScale::Pixels) => 0,
            Some(BoxScale::Thousandths) => 1,
        };
        self.scales.0.entry(model).or_default()[place] += 1;
    }

    /// Reports the models of the log that seem to use both scales.
    pub(super) fn report_scales(&mut self) {
        for (model, [pixels, thousandths]) in std::mem::take(&mut self.scales).0 {
            if pixels == 0 || thousandths == 0 {
                continue;
            }
            let model = self.builder.model_name(model);
            let what = format!(
                "boxes of {model}: {} count in thousandths, as they do not fit their pictures, and {} in pixels, though \
                 they may be thousandths too; the tag `box_scale` can say 1000 or pixels",
                compact(thousandths),
                compact(pixels),
            );
            self.problem(Problem::file(&self.path, what));
        }
    }
}
