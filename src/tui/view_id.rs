//! Identifiers of the views, in order.

/// One row per view: variant, name in keymaps, and type.
macro_rules! views {
    ($with:ident) => {
        $with! {
            /// All open benchmarks.
            Overview overview OverviewView,
            /// Ranks of all models over all abilities.
            Fingerprint fingerprint FingerprintView,
            /// Scores by tag.
            Subgroups subgroups SubgroupsView,
            /// The list of samples.
            Samples samples SamplesView,
            /// One sample with its picture and answers.
            Sample sample SampleView,
            /// Two models side by side.
            Compare compare CompareView,
            /// Reliability of the scores.
            Reliability reliability ReliabilityView,
            /// Asking a live model again.
            Live live LiveView,
            /// A rerun sample with all its answers.
            Flip flip FlipView,
            /// Experiments with one sample.
            Playground playground PlaygroundView,
            /// Audit of annotations by people.
            Audit audit AuditView,
        }
    };
}

macro_rules! identify {
    ($($(#[$what:meta])* $view:ident $name:ident $_type:ident,)*) => {
        /// Identifier of a view, used by key bindings.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ViewId { $($(#[$what])* $view,)* }

        impl ViewId {
            /// Every view, in order.
            pub const ALL: [Self; [$(Self::$view),*].len()] = [$(Self::$view),*];

            /// Returns the view's name in a keymap.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$view => stringify!($name),)* }
            }

            /// Returns the view's title on screen.
            pub const fn title(self) -> &'static str {
                match self {
                    Self::Live => "rerun",
                    other => other.name(),
                }
            }

            /// Returns the view with this name in a keymap or title on screen.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL
                    .into_iter()
                    .find(|view| name == view.name() || name == view.title())
            }
        }
    };
}

views!(identify);

impl ViewId {
    /// Returns true for views that show no published scores.
    pub const fn needs_samples(self) -> bool {
        matches!(
            self,
            Self::Subgroups | Self::Samples | Self::Compare | Self::Reliability | Self::Audit
        )
    }
}

pub(crate) use views;
