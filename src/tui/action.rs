//! Everything that a user can ask for, by name.
//!
//! One list feeds the keymap, the `:` palette, the `?` help, the docs and the tests: what is not an
//! action cannot be done, and what is one can be found.

/// One row per action: what it does, its variant, its name in keymaps and in the palette.
macro_rules! actions {
    ($($(#[$what:meta])* $variant:ident $name:literal,)*) => {
        /// Something that a user can ask for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Action { $($(#[$what])* $variant,)* }

        impl Action {
            /// Every action, in the order of the palette.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The action's lasting name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

actions! {
    /// Leave the program.
    Quit "quit",
    /// Walk back one step of the trail, or close what is open.
    Back "back",
    /// Show the keys of this view.
    Help "help",
    /// Take a tour of a minute.
    Tour "tour",
    /// Find an action by its name.
    Palette "palette",
    /// Narrow the samples by an expression.
    Filter "filter",
    /// Show all samples again.
    ClearFilter "clear-filter",
    /// Go to the view on the right.
    NextView "next-view",
    /// Go to the view on the left.
    PreviousView "previous-view",
    /// Go to what is open, benchmark by benchmark.
    ViewOverview "view-overview",
    /// Go to the ranks of all models over all abilities.
    ViewFingerprint "view-fingerprint",
    /// Go to the scores by tag.
    ViewSubgroups "view-subgroups",
    /// Go to the list of samples.
    ViewSamples "view-samples",
    /// Go to two models side by side.
    ViewCompare "view-compare",
    /// Go to what the scores can be trusted for.
    ViewReliability "view-reliability",
    /// Go to a live model that is asked again.
    ViewLive "view-live",
    /// Go to a person's verdicts on annotations.
    ViewAudit "view-audit",
    /// Move the cursor up.
    Up "up",
    /// Move the cursor down.
    Down "down",
    /// Move the cursor left.
    Left "left",
    /// Move the cursor right.
    Right "right",
    /// Move up by a screen.
    PageUp "page-up",
    /// Move down by a screen.
    PageDown "page-down",
    /// Go to the first row.
    First "first",
    /// Go to the last row.
    Last "last",
    /// Open the samples behind what the cursor is on.
    Open "open",
    /// Pick what the cursor is on, or let it go.
    Select "select",
    /// Show the next sample of the list.
    NextSample "next-sample",
    /// Show the sample before this one.
    PreviousSample "previous-sample",
    /// Move the lens to the next benchmark.
    NextBenchmark "next-benchmark",
    /// Move the lens to the benchmark before this one.
    PreviousBenchmark "previous-benchmark",
    /// Move the lens to the next model.
    NextModel "next-model",
    /// Move the lens to the model before this one.
    PreviousModel "previous-model",
    /// Move the lens to the next ability.
    NextAbility "next-ability",
    /// Move the lens to the ability before this one.
    PreviousAbility "previous-ability",
    /// Change which rules turn a response into a score.
    ToggleScoring "toggle-scoring",
    /// Show or hide targets and predictions on the picture.
    ToggleOverlays "toggle-overlays",
    /// Show one model's boxes, then the other's, then the target alone, then all, in place.
    Flicker "flicker",
    /// Show how the answer came about: conversation, cost, score.
    Trace "trace",
    /// Show the next model's answer beside this one.
    NextSecond "next-second",
    /// Turn the picture a quarter clockwise.
    TurnRight "turn-right",
    /// Turn the picture a quarter back.
    TurnLeft "turn-left",
    /// Bound the bytes of a picture as the line is, low, or not at all.
    NextBandwidth "next-bandwidth",
    /// Show less of the picture, larger.
    ZoomIn "zoom-in",
    /// Show more of the picture, smaller.
    ZoomOut "zoom-out",
    /// Show the next box and little around it; after the last one the whole picture.
    ZoomToBox "zoom-to-box",
    /// Show the whole picture.
    ResetZoom "reset-zoom",
    /// Split the samples by the next tag.
    NextTag "next-tag",
    /// Split the samples by the tag before this one.
    PreviousTag "previous-tag",
    /// Change the places of the two models.
    SwapSides "swap-sides",
    /// Let a higher score count as right.
    RaiseThreshold "raise-threshold",
    /// Let a lower score count as right.
    LowerThreshold "lower-threshold",
    /// Cut the tag into other bins.
    NextBins "next-bins",
    /// Search the subgroups that depart from the rest of their ability.
    FindSlices "find-slices",
    /// Show what the ranks rest on.
    RankBasis "rank-basis",
    /// Show where the harness's scores and Eyechart's own rule disagree.
    ScorerAudit "scorer-audit",
    /// Show who is better than whom, pair by pair.
    WinMatrix "win-matrix",
    /// Show everything that is open in one grid.
    AcrossBenchmarks "across-benchmarks",
    /// Show score against the size or the date of models.
    SizeAndDate "size-and-date",
    /// Show ranks, scores or gaps to the best.
    ToggleRanks "toggle-ranks",
    /// Hide or show the radar.
    ToggleChart "toggle-chart",
    /// Show samples as a list, as pictures or as everybody's answers.
    NextLook "next-look",
    /// Go to the ability in which this model is worst.
    WorstAbility "worst-ability",
    /// Choose the columns of the list.
    ListColumns "list-columns",
    /// Show samples in groups: by answer, by target, by a tag.
    GroupSamples "group-samples",
    /// Show how often what was answered to which target.
    ConfusionMatrix "confusion-matrix",
    /// Select everything from what was selected last to here.
    SelectRange "select-range",
    /// Select the whole group, or the whole list.
    SelectAll "select-all",
    /// Keep only the selected samples.
    OnlySelected "only-selected",
    /// Sort by the next column.
    SortNext "sort-next",
    /// Sort the other way round.
    ReverseSort "reverse-sort",
    /// Take the next theme.
    NextTheme "next-theme",
    /// Let keys judge labels, or stop.
    ToggleJudging "toggle-judging",
    /// Say that the label is ok.
    JudgeOk "judge-ok",
    /// Say that the label is wrong.
    JudgeWrongLabel "judge-wrong-label",
    /// Say that the sample is ambiguous.
    JudgeAmbiguous "judge-ambiguous",
    /// Say that the picture is bad.
    JudgeBadImage "judge-bad-image",
    /// Take one's verdict on this sample back.
    JudgeNothing "judge-nothing",
    /// Write a note to the verdict.
    Note "note",
    /// Say what a wrong label should be.
    RightLabel "right-label",
    /// Take the last verdict back.
    UndoVerdict "undo-verdict",
    /// Say the verdict again that was taken back.
    RedoVerdict "redo-verdict",
    /// Show or hide what the model said, in a spot check.
    Reveal "reveal",
    /// Draw a spot check, or go on with it.
    SpotCheck "spot-check",
    /// Draw more samples.
    LargerCheck "larger-check",
    /// Draw fewer samples.
    SmallerCheck "smaller-check",
    /// Leave ambiguous samples out of the ranking or in.
    ToggleAmbiguous "toggle-ambiguous",
    /// Ask a live model again: what is under the cursor, or what the lens holds.
    AskAgain "ask-again",
    /// Count what a live model would be asked, then ask it.
    Ask "ask",
    /// Ask this sample in other words, with another picture, until it is understood.
    Playground "playground",
    /// Mirror the picture left to right.
    FlipPicture "flip-picture",
    /// Show nothing instead of the picture.
    BlankPicture "blank-picture",
    /// Halve both sides of the picture.
    Downscale "downscale",
    /// Add noise to the picture, or stronger noise.
    AddNoise "add-noise",
    /// Take the last edit of the picture back.
    UndoEdit "undo-edit",
    /// Draw a box on the picture.
    DrawBox "draw-box",
    /// Cut the picture to the box.
    CropBox "crop-box",
    /// Cover what is in the box.
    MaskBox "mask-box",
    /// Keep what is edited as a protocol for all samples.
    KeepVariant "keep-variant",
    /// Hold what is being asked, or go on.
    Pause "pause",
    /// Stop asking; it can be taken up again.
    Stop "stop",
    /// List what could not be read.
    Problems "problems",
    /// List where the records come from.
    Sources "sources",
    /// Copy what the cursor is on to the clipboard.
    Copy "copy",
    /// Copy the command that prints this screen without the UI.
    CopyCommand "copy-command",
    /// Copy the table of this screen as Markdown.
    CopyTable "copy-table",
    /// Write a report of what is looked at.
    Report "report",
    /// Write the samples that the lens holds into one file.
    Export "export",
    /// Look for words in the text on screen.
    Find "find",
    /// Go to the next place of the words.
    NextMatch "next-match",
    /// Go to the place of the words before this one.
    PreviousMatch "previous-match",
    /// Go to where `back` came from.
    Forward "forward",
    /// Look now at the addresses that are open.
    LookAgain "look-again",
    /// Draw the screen anew.
    Redraw "redraw",
    /// Go to the shell and come back later.
    Suspend "suspend",
}

impl Action {
    /// The action of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        // The view's name on screen is accepted as well.
        let name = if name == "view-rerun" {
            "view-live"
        } else {
            name
        };
        Self::ALL
            .iter()
            .copied()
            .find(|action| action.name() == name)
    }

    /// The name that is spelled most like `name`.
    #[must_use]
    pub fn nearest(name: &str) -> &'static str {
        let names = Self::ALL.iter().map(|action| action.name());
        names
            .min_by_key(|known| strsim::damerau_levenshtein(known, name))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_are_distinct_kebab_case_and_lead_back() {
        let names: HashSet<_> = Action::ALL.iter().map(|action| action.name()).collect();
        assert_eq!(names.len(), Action::ALL.len());
        for action in Action::ALL {
            assert!(
                action
                    .name()
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c == '-'),
                "{action:?}"
            );
            assert_eq!(Action::named(action.name()), Some(*action));
        }
    }

    #[test]
    fn a_misspelt_name_finds_its_neighbour() {
        assert_eq!(Action::named("next-vew"), None);
        assert_eq!(Action::nearest("next-vew"), "next-view");
        assert_eq!(Action::named("view-rerun"), Action::named("view-live"));
    }
}
