//! Names of options. They stand for the same classes as in the exam without levels, but each name
//! has three others of similar length.

/// Emotions, in the order in which faces are drawn.
pub const FEELINGS: [&str; 7] = [
    "happy", "sadness", "angry", "fearful", "surprise", "neutral", "disgust",
];

/// Actions, in the order of poses.
pub const ACTIONS: [&str; 12] = [
    "running",
    "skipping rope",
    "sitting",
    "waving",
    "kicking a ball",
    "lifting weights",
    "swimming",
    "ladder climbing",
    "sleeping",
    "cycling",
    "fishing",
    "pushing a box",
];

/// Places seen from the ground, in the order of views.
pub const PLACES: [&str; 8] = [
    "seaside",
    "forest",
    "mountain",
    "city street",
    "desert",
    "snowy field",
    "living room",
    "underwater",
];

/// Places seen from the air, in the order of aerial scenes.
pub const SITES: [&str; 6] = [
    "farmland", "river", "car park", "airport", "harbor", "suburb",
];

/// Textures, in the order of their patterns.
pub const SURFACES: [&str; 12] = [
    "striped",
    "chequered",
    "dotted",
    "zigzagged",
    "honeycombed",
    "cracked",
    "marbled",
    "woven",
    "scaly",
    "spiralled",
    "bubbly",
    "grid",
];

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::super::item_spec::of_like_length;
    use super::*;
    use crate::Rng;
    use crate::abilities::icons::ICONS;
    use crate::abilities::{emotion, orientation, poses, scene, texture};

    /// Maximum difference in characters between options.
    const APART: usize = 2;

    fn lists() -> Vec<Vec<&'static str>> {
        let icons = ICONS.iter().map(|icon| icon.name).collect();
        let rest: [&[&str]; 6] = [
            &FEELINGS,
            &ACTIONS,
            &PLACES,
            &SITES,
            &SURFACES,
            &orientation::VIEWS,
        ];
        let rest = rest.into_iter().map(<[&str]>::to_vec);
        std::iter::once(icons).chain(rest).collect()
    }

    #[test]
    fn each_name_is_asked_beside_three_of_its_length() {
        let mut rng = Rng::new(3, &[]);
        for names in lists() {
            let mut right_ones = BTreeMap::new();
            for _ in 0..4000 {
                let (right, four) = of_like_length(&names, &mut rng);
                assert_eq!(four.iter().collect::<BTreeSet<_>>().len(), 4);
                assert!(four.contains(&right));
                let lengths = four.iter().map(|name| name.len());
                let apart = lengths.clone().max().unwrap() - lengths.min().unwrap();
                assert!(apart <= APART, "{four:?}");
                *right_ones.entry(right).or_insert(0) += 1;
            }
            assert_eq!(right_ones.len(), names.len());
            // Each name is the centre as often as others, and right in at least a quarter of those
            // cases.
            let least = 4000 / names.len() / 5;
            for (name, count) in right_ones {
                assert!(count >= least, "{name}: {count}");
            }
        }
    }

    /// Renamed entries keep their index, and unchanged names match.
    #[test]
    fn names_stand_in_the_order_of_what_they_name() {
        let drawn = [
            emotion::EMOTIONS.to_vec(),
            poses::POSES.iter().map(|pose| pose.action).collect(),
            scene::VIEWS.iter().map(|(name, _)| *name).collect(),
            scene::AERIAL.iter().map(|(name, _)| *name).collect(),
            texture::TEXTURES.iter().map(|(name, _)| *name).collect(),
        ];
        let renamed: [&[&str]; 5] = [
            &["sadness", "fearful"],
            &["skipping rope", "ladder climbing"],
            &["seaside"],
            &["car park", "suburb"],
            &["dotted"],
        ];
        let named: [&[&str]; 5] = [&FEELINGS, &ACTIONS, &PLACES, &SITES, &SURFACES];
        for ((drawn, named), renamed) in drawn.iter().zip(named).zip(renamed) {
            assert_eq!(drawn.len(), named.len());
            let others = drawn.iter().zip(named).filter(|(one, other)| one != other);
            let others: Vec<&str> = others.map(|(_, name)| *name).collect();
            assert_eq!(others, renamed);
        }
    }
}
