//! Groups actions by purpose, for the help.

use crate::action::Action;

base::named_enum! {
    /// Purpose of an action, with its title in the help, in the order of the help.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Purpose {
        /// Moving between rows and samples.
        Move = "Move",
        /// Changing how the view looks.
        Look = "How it is shown",
        /// Choosing samples, models and scores.
        Lens = "What is shown",
        /// Giving verdicts on labels.
        Judge = "Judge labels",
        /// Asking a live model.
        Rerun = "Ask a model again",
        /// Opening other views and popups.
        Go = "Other views and lists",
        /// Controlling the program and the terminal.
        Program = "Program",
    }
}

impl Purpose {
    /// Returns the group of an action in the help.
    pub const fn of(action: Action) -> Self {
        use Action as A;
        match action {
            A::Up
            | A::Down
            | A::Left
            | A::Right
            | A::PageUp
            | A::PageDown
            | A::First
            | A::Last
            | A::Open
            | A::Back
            | A::Forward
            | A::NextSample
            | A::PreviousSample
            | A::WorstAbility
            | A::Find
            | A::NextMatch
            | A::NextPane
            | A::PreviousMatch => Self::Move,
            A::Filter
            | A::ClearFilter
            | A::Select
            | A::SelectRange
            | A::SelectAll
            | A::OnlySelected
            | A::MoreLikeThis
            | A::NextOutcome
            | A::NextAbility
            | A::PreviousAbility
            | A::NextModel
            | A::PreviousModel
            | A::NextBenchmark
            | A::PreviousBenchmark
            | A::ToggleScoring
            | A::LowerThreshold
            | A::RaiseThreshold
            | A::NextTag
            | A::PreviousTag
            | A::ChooseTag
            | A::NextBins
            | A::SwapSides
            | A::NextMargin
            | A::NextSecond => Self::Lens,
            A::ToggleJudging
            | A::JudgeOk
            | A::JudgeWrongLabel
            | A::JudgeAmbiguous
            | A::JudgeBadImage
            | A::JudgeNothing
            | A::Note
            | A::RightLabel
            | A::UndoVerdict
            | A::RedoVerdict
            | A::Reveal
            | A::SpotCheck
            | A::LargerCheck
            | A::SmallerCheck
            | A::ToggleAmbiguous => Self::Judge,
            _ if asks(action) => Self::Rerun,
            A::NextView
            | A::PreviousView
            | A::ViewOverview
            | A::ViewFingerprint
            | A::ViewSubgroups
            | A::ViewSamples
            | A::ViewCompare
            | A::ViewReliability
            | A::ViewLive
            | A::ViewAudit
            | A::FindSlices
            | A::RankBasis
            | A::WinMatrix
            | A::AcrossBenchmarks
            | A::SizeAndDate
            | A::ScorerAudit
            | A::ConfusionMatrix
            | A::PictureMap
            | A::Jump
            | A::SaveView
            | A::Problems
            | A::NameColumns
            | A::Sources => Self::Go,
            A::Copy
            | A::CopyCommand
            | A::CopyTable
            | A::Report
            | A::Export
            | A::NextTheme
            | A::NextBandwidth
            | A::Redraw
            | A::Suspend
            | A::Palette
            | A::Quit
            | A::Tour
            | A::Help => Self::Program,
            _ => Self::Look,
        }
    }
}

/// Returns true if an action belongs to reruns, which ask a live model.
const fn asks(action: Action) -> bool {
    use Action as A;
    matches!(
        action,
        A::Ask
            | A::AskAgain
            | A::Pause
            | A::Stop
            | A::Playground
            | A::FlipPicture
            | A::BlankPicture
            | A::Downscale
            | A::AddNoise
            | A::UndoEdit
            | A::DrawBox
            | A::CropBox
            | A::MaskBox
            | A::KeepVariant
    )
}
