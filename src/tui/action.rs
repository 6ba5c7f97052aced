//! All user actions, by name.
//!
//! The keymap, the `:` palette, the `?` help, the docs and the tests use this list. Every action in
//! it can be found and bound to a key.

base::named_enum! {
    /// A user action. It has a stable name, which keymaps and the palette use. The order is the
    /// order of the palette.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Action {
        /// Leave the program.
        Quit = "quit",
        /// Go back one step of the trail, or close the popup.
        Back = "back",
        /// Show the keys of this view.
        Help = "help",
        /// Start a tour of one minute.
        Tour = "tour",
        /// Find an action by its name.
        Palette = "palette",
        /// Filter the samples by an expression.
        Filter = "filter",
        /// Show all samples again.
        ClearFilter = "clear-filter",
        /// Move the focus to the next pane. In a sample, show the next tab.
        NextPane = "next-pane",
        /// Go to the view on the right.
        NextView = "next-view",
        /// Go to the view on the left.
        PreviousView = "previous-view",
        /// Go to the overview of all open benchmarks.
        ViewOverview = "view-overview",
        /// Go to the fingerprint: ranks of all models over all abilities.
        ViewFingerprint = "view-fingerprint",
        /// Go to the scores by subgroup.
        ViewSubgroups = "view-subgroups",
        /// Go to the list of samples.
        ViewSamples = "view-samples",
        /// Go to the comparison of two models.
        ViewCompare = "view-compare",
        /// Go to reliability: what the models know, from rotated questions.
        ViewReliability = "view-reliability",
        /// Go to the live view, which asks a model again.
        ViewLive = "view-live",
        /// Go to the audit of annotations by people.
        ViewAudit = "view-audit",
        /// Move the cursor up.
        Up = "up",
        /// Move the cursor down.
        Down = "down",
        /// Move the cursor left.
        Left = "left",
        /// Move the cursor right.
        Right = "right",
        /// Move up by a screen.
        PageUp = "page-up",
        /// Move down by a screen.
        PageDown = "page-down",
        /// Go to the first row.
        First = "first",
        /// Go to the last row.
        Last = "last",
        /// Open the samples behind the item under the cursor.
        Open = "open",
        /// Select or deselect the item under the cursor.
        Select = "select",
        /// Show the next sample of the list.
        NextSample = "next-sample",
        /// Show the previous sample.
        PreviousSample = "previous-sample",
        /// Move the lens to the next benchmark.
        NextBenchmark = "next-benchmark",
        /// Move the lens to the previous benchmark.
        PreviousBenchmark = "previous-benchmark",
        /// Move the lens to the next model.
        NextModel = "next-model",
        /// Move the lens to the previous model.
        PreviousModel = "previous-model",
        /// Move the lens to the next ability.
        NextAbility = "next-ability",
        /// Move the lens to the previous ability.
        PreviousAbility = "previous-ability",
        /// Switch the rules that turn a response into a score.
        ToggleScoring = "toggle-scoring",
        /// Show or hide targets and predictions on the picture.
        ToggleOverlays = "toggle-overlays",
        /// Show one model's boxes, then the other's, then only the target, then all.
        Flicker = "flicker",
        /// Show the next tab: answer, conversation, scoring, line in the log.
        Trace = "trace",
        /// Show the next model's answer next to this one.
        NextSecond = "next-second",
        /// Show the next picture of the sample, or the next frame.
        NextPicture = "next-picture",
        /// Show the previous picture of the sample, or the previous frame.
        PreviousPicture = "previous-picture",
        /// Rotate the picture by 90 degrees clockwise.
        TurnRight = "turn-right",
        /// Rotate the picture by 90 degrees anticlockwise.
        TurnLeft = "turn-left",
        /// Cycle the byte limit of pictures: automatic, low, none.
        NextBandwidth = "next-bandwidth",
        /// Show less of the picture, larger.
        ZoomIn = "zoom-in",
        /// Show more of the picture, smaller.
        ZoomOut = "zoom-out",
        /// Zoom to the next box. After the last box, show the whole picture.
        ZoomToBox = "zoom-to-box",
        /// Show the whole picture.
        ResetZoom = "reset-zoom",
        /// Split the samples by the next tag.
        NextTag = "next-tag",
        /// Split the samples by the previous tag.
        PreviousTag = "previous-tag",
        /// Choose the tag that splits the samples, by its name.
        ChooseTag = "choose-tag",
        /// Go to a benchmark, ability, model or sample by typing some of its letters.
        Jump = "jump",
        /// Save what is on screen under a name, to go there later.
        SaveView = "save-view",
        /// Swap the two models.
        SwapSides = "swap-sides",
        /// Raise the score from which an answer counts as correct.
        RaiseThreshold = "raise-threshold",
        /// Ask whether B is worse than A by more than 1, 2 or 5 percentage points, then turn the
        /// question off.
        NextMargin = "next-margin",
        /// Lower the score from which an answer counts as correct.
        LowerThreshold = "lower-threshold",
        /// Switch to other bins for the tag.
        NextBins = "next-bins",
        /// Search for subgroups that differ from the rest of their ability.
        FindSlices = "find-slices",
        /// Show the data on which the ranks are based.
        RankBasis = "rank-basis",
        /// Show where the harness's scores differ from Eyechart's own rule.
        ScorerAudit = "scorer-audit",
        /// Show pairwise wins of models.
        WinMatrix = "win-matrix",
        /// Show all open benchmarks in one grid.
        AcrossBenchmarks = "across-benchmarks",
        /// Show scores against the size or the date of models.
        SizeAndDate = "size-and-date",
        /// Cycle what the cells show: ranks, their intervals, scores, gaps to the best, acuity.
        ToggleRanks = "toggle-ranks",
        /// Hide or show the radar.
        ToggleChart = "toggle-chart",
        /// Cycle the sample view: list, pictures, all models' answers, targets against answers.
        NextLook = "next-look",
        /// Go to the ability where this model is worst.
        WorstAbility = "worst-ability",
        /// Choose the columns of the list.
        ListColumns = "list-columns",
        /// Show samples in groups: by answer, by target, by a tag.
        GroupSamples = "group-samples",
        /// Show the confusion matrix of targets and answers.
        ConfusionMatrix = "confusion-matrix",
        /// Select everything from the last selected sample to this one.
        SelectRange = "select-range",
        /// Select the whole group, or the whole list.
        SelectAll = "select-all",
        /// Keep only the selected samples.
        OnlySelected = "only-selected",
        /// Show the samples that look most like this one, as a sheet.
        MoreLikeThis = "more-like-this",
        /// Show a map of the samples by their look, with right and wrong answers marked.
        PictureMap = "picture-map",
        /// List only wrong answers, only samples on which models differ, or all.
        NextOutcome = "next-outcome",
        /// Sort by the next column.
        SortNext = "sort-next",
        /// Reverse the sort order.
        ReverseSort = "reverse-sort",
        /// Switch to the next theme.
        NextTheme = "next-theme",
        /// Start or stop judging labels with keys.
        ToggleJudging = "toggle-judging",
        /// Judge the label as ok.
        JudgeOk = "judge-ok",
        /// Judge the label as wrong.
        JudgeWrongLabel = "judge-wrong-label",
        /// Judge the sample as ambiguous.
        JudgeAmbiguous = "judge-ambiguous",
        /// Judge the picture as bad.
        JudgeBadImage = "judge-bad-image",
        /// Remove your verdict on this sample.
        JudgeNothing = "judge-nothing",
        /// Write a note for the verdict.
        Note = "note",
        /// Enter the correct label.
        RightLabel = "right-label",
        /// Undo the last verdict.
        UndoVerdict = "undo-verdict",
        /// Redo the verdict that was undone.
        RedoVerdict = "redo-verdict",
        /// Show or hide the model's answer in a spot check.
        Reveal = "reveal",
        /// Start or continue a spot check.
        SpotCheck = "spot-check",
        /// Draw more samples for the spot check.
        LargerCheck = "larger-check",
        /// Draw fewer samples for the spot check.
        SmallerCheck = "smaller-check",
        /// Exclude ambiguous samples from the ranking, or include them.
        ToggleAmbiguous = "toggle-ambiguous",
        /// Ask a live model again: the last one about the sample on screen, or open the form for
        /// the listed samples.
        AskAgain = "ask-again",
        /// Count the requests for a live model, then send them.
        Ask = "ask",
        /// Open the playground, to try other wordings and pictures for this sample.
        Playground = "playground",
        /// Mirror the picture left to right.
        FlipPicture = "flip-picture",
        /// Replace the picture by a blank one.
        BlankPicture = "blank-picture",
        /// Halve the width and height of the picture.
        Downscale = "downscale",
        /// Add noise to the picture; repeat for more.
        AddNoise = "add-noise",
        /// Undo the last edit of the picture.
        UndoEdit = "undo-edit",
        /// Draw a box on the picture.
        DrawBox = "draw-box",
        /// Crop the picture to the box.
        CropBox = "crop-box",
        /// Mask the content of the box.
        MaskBox = "mask-box",
        /// Save the edited prompt and picture edits as a protocol for all samples.
        KeepVariant = "keep-variant",
        /// Pause or resume the requests.
        Pause = "pause",
        /// Stop the requests; they can be continued later.
        Stop = "stop",
        /// List the files and rows that could not be read.
        Problems = "problems",
        /// Ask again what the columns of unknown tables are.
        NameColumns = "name-columns",
        /// List the open logs and their runs.
        Sources = "sources",
        /// Copy the item under the cursor to the clipboard.
        Copy = "copy",
        /// Copy the command that prints this screen.
        CopyCommand = "copy-command",
        /// Copy the table of this screen as Markdown.
        CopyTable = "copy-table",
        /// Write a report about the samples on screen.
        Report = "report",
        /// Write the samples of the lens to a file.
        Export = "export",
        /// Search for words in the text on screen.
        Find = "find",
        /// Go to the next match.
        NextMatch = "next-match",
        /// Go to the previous match.
        PreviousMatch = "previous-match",
        /// Go forward again after `back`.
        Forward = "forward",
        /// Check the open addresses for changes now.
        LookAgain = "look-again",
        /// Redraw the screen.
        Redraw = "redraw",
        /// Suspend the program and return to the shell.
        Suspend = "suspend",
    }
}

impl Action {
    /// Returns the action with this name.
    pub fn named(name: &str) -> Option<Self> {
        // Also accept `view-rerun`, because the title of the live view is `rerun`.
        let name = if name == "view-rerun" {
            "view-live"
        } else {
            name
        };
        let mut actions = Self::ALL.into_iter();
        actions.find(|action| action.name() == name)
    }

    /// Returns the name most similar to this text.
    pub fn nearest(name: &str) -> &'static str {
        let names = Self::ALL.into_iter().map(Self::name);
        names
            .min_by_key(|known| strsim::damerau_levenshtein(known, name))
            .unwrap_or_default()
    }

    /// Returns true if the action can open a text field. The following keys are then text.
    pub const fn opens_input(self) -> bool {
        matches!(
            self,
            Self::Filter
                | Self::Find
                | Self::Jump
                | Self::SaveView
                | Self::Note
                | Self::RightLabel
                | Self::ListColumns
                | Self::GroupSamples
                | Self::Report
                | Self::Export
        )
    }

    /// Returns true if the action leaves the list, or does not affect it.
    pub const fn leaves_list(self) -> bool {
        matches!(
            self,
            Self::Quit
                | Self::Back
                | Self::Help
                | Self::Tour
                | Self::Palette
                | Self::NextView
                | Self::PreviousView
                | Self::ViewOverview
                | Self::ViewFingerprint
                | Self::ViewSubgroups
                | Self::ViewSamples
                | Self::ViewCompare
                | Self::ViewReliability
                | Self::ViewLive
                | Self::ViewAudit
                | Self::Redraw
                | Self::Suspend
        )
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
        for action in &Action::ALL {
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
