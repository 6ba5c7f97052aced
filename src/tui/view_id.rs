//! The views by name, in their order.

/// One row per view: its name in code and in keymaps, and the type that is the view.
macro_rules! views {
    ($with:ident) => {
        $with! {
            /// What is open.
            Overview overview OverviewView,
            /// Ranks of all models over all abilities.
            Fingerprint fingerprint FingerprintView,
            /// Scores by tag.
            Subgroups subgroups SubgroupsView,
            /// The list of samples.
            Samples samples SamplesView,
            /// One sample.
            Sample sample SampleView,
            /// Two models side by side.
            Compare compare CompareView,
            /// What the scores can be trusted for.
            Reliability reliability ReliabilityView,
            /// A live model that is asked again.
            Live live LiveView,
            /// A sample that was asked again: all answers beside each other.
            Flip flip FlipView,
            /// One sample that is asked otherwise.
            Playground playground PlaygroundView,
            /// A person's verdicts on annotations.
            Audit audit AuditView,
        }
    };
}

macro_rules! identify {
    ($($(#[$what:meta])* $view:ident $name:ident $_type:ident,)*) => {
        /// A place where keys have their meaning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ViewId { $($(#[$what])* $view,)* }

        impl ViewId {
            /// Every view.
            pub const ALL: [Self; [$(Self::$view),*].len()] = [$(Self::$view),*];

            /// The view's name in a keymap.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$view => stringify!($name),)* }
            }

            /// The view's name on screen.
            #[must_use]
            pub const fn title(self) -> &'static str {
                match self {
                    Self::Live => "rerun",
                    other => other.name(),
                }
            }

            /// The view of a name in a keymap, or of its name on screen.
            #[must_use]
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL
                    .into_iter()
                    .find(|view| name == view.name() || name == view.title())
            }
        }
    };
}

views!(identify);

pub(crate) use views;
