//! Lists the steps by which a reader finds an answer.

base::named_enum! {
    /// Step by which a reader found an answer, with its text for the user.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Step {
        AnswerTag = "the last answer tag",
        Boxed = "the last \\boxed",
        JsonKey = "a key of a JSON object",
        TurnRemoved = "text of a further turn removed",
        ThinkingRemoved = "thinking removed",
        OwnText = "an option's own text",
        StatedText = "an option's own text, stated as the answer",
        LeadingLabel = "a leading label",
        StatedLabel = "a label stated as the answer",
        NamedLabel = "a label named as the answer",
        OnlyLabel = "the only label",
        OnlyOptionLeft = "the only option not ruled out",
        OthersRuledOut = "the other options are ruled out",
        ClauseOfQuestion = "the option in the clause about the question",
        LastOption = "the last option, named alone",
        Synonym = "a synonym of an option",
        ConcludingSentence = "an option in the concluding sentence",
        PartOfOption = "a part of only one option",
        NumberOfOption = "an option whose text is the number",
        OptionPosition = "an option by its position",
        LabelList = "a list of labels",
        OptionsLeft = "the options not ruled out",
        AllExcept = "all options except some",
        LabelsLeft = "the labels not ruled out",
        TextsLeft = "the option texts not ruled out",
        AllOptions = "all options",
        StatedNumber = "a number stated as the answer",
        OnlyNumber = "the only number",
        LastCounted = "the last number counted",
        CountedThings = "the number of the counted things",
        Total = "a number given as the total",
        LeadingNumber = "the leading number",
        Distance = "a length given as a distance",
        ZeroByWord = "a word like `none` read as zero",
        OneUnit = "`a` before a unit read as one",
        OneObject = "a single object read as one",
        EndOfCount = "the last number of a count",
        RangeMiddle = "the middle of a range",
        TwoUnits = "a length in two units",
        Sum = "a sum",
        FourNumbers = "a list of four numbers",
        TwoCorners = "two corners",
        VerticalFirst = "four numbers, y first as the question asks",
        BoxTag = "in a box tag, in thousandths",
        AxisRanges = "a range for each axis",
        Box2d = "box_2d, y first, in thousandths",
        NamedCorners = "named corners",
        LocTags = "<loc> tags, y first, in parts of 1024",
        LocTagsInThousandths = "<loc_> tags, in thousandths",
        GridCells = "two cells of a grid of 32 by 32",
        ThreeNumbers = "a list of three numbers",
        NamedChannels = "named channels",
        HexCode = "a hex code",
        CssFunction = "a CSS function",
        WholeResponse = "the response itself",
        IntroducedText = "the text after an introductory phrase",
        OnlyPossible = "the only possible answer found",
        NearerBox = "the box described as nearer or farther",
        OnlyBox = "the only box named",
        YesNoCorrection = "the last yes or no, a correction",
        StatedYesNo = "yes or no stated as the answer",
        LeadingYesNo = "a leading yes or no",
        YesNoInSentence = "yes or no in a sentence",
        Negated = "a negated sentence",
        Affirmed = "an affirmative sentence",
        FitsSmallPicture = "in pixels because it fits the small picture",
        FitsPicture = "in pixels because it fits the picture",
        FitsLargeTarget = "in pixels because it fits the picture, although its target exceeds 1000",
        AboveThousand = "in pixels because it is above 1000",
        ExceedsPicture = "in thousandths because it exceeds the picture",
        FitsBelowHundred = "in pixels because it fits the picture, although only its target exceeds 100",
        ToPixels = "converted to pixels of the picture",
        StatedToPixels = "converted from the stated scale to pixels of the picture",
        FractionsToPixels = "fractions, converted to pixels of the picture",
        ToFractions = "converted to fractions of the picture",
        Hundredths = "in hundredths, judging by the values",
        Thousandths = "in thousandths, judging by the values",
        PartsOf1024 = "in parts of 1024, judging by the values",
    }
}

impl Step {
    /// Returns true if an option's label was read.
    pub(super) const fn is_label(self) -> bool {
        matches!(
            self,
            Self::LeadingLabel | Self::StatedLabel | Self::NamedLabel | Self::OnlyLabel
        )
    }

    /// Returns the step for an answer that is also stated to be the answer.
    pub(super) const fn stated(self) -> Self {
        match self {
            Self::LeadingLabel => Self::StatedLabel,
            Self::OwnText => Self::StatedText,
            other => other,
        }
    }
}
