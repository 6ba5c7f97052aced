use super::items::GENERATOR;
use super::*;
use crate::Item;
use record::{MapKind, MapValues};

use media::{MapKind as Kind, Raster, Source, Values};

fn set(items: usize) -> DenseScenes {
    DenseScenes::new(items, 11).of_side(160)
}

fn item<'a>(page: &'a Page, task: &str) -> &'a Item {
    let mut items = page.items.iter();
    items.find(|item| item.ability == task).unwrap()
}

/// Decodes the map of an item from its file.
fn map(page: &Page, item: &Item) -> Values {
    let map = &item.content.maps[0];
    let MapValues::Picture(record::ImageRef::Path(path)) = &map.values else {
        panic!("{map:?}");
    };
    let (_, bytes) = page.files.iter().find(|(known, _)| known == path).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("map.png"), bytes).unwrap();
    let source = Source::Path {
        reference: "map.png".to_owned(),
        roots: vec![folder.path().to_path_buf()],
    };
    let kind = match map.kind {
        MapKind::Labels => Kind::Labels,
        MapKind::Depth => Kind::Depth,
        MapKind::Normals => Kind::Normals,
        MapKind::Mask => Kind::Mask,
    };
    Raster::load(&source, kind).unwrap().values
}

#[test]
fn a_scene_asks_the_six_tasks_and_its_annotations_agree() {
    for number in 0..6 {
        let page = set(36).page(number);
        assert_eq!(page.items.len(), TASKS.len());
        let Values::Labels(labels) = map(&page, item(&page, "segmentation")) else {
            panic!("labels");
        };
        let names = &item(&page, "segmentation").content.maps[0].names;
        let found = item(&page, "detection").detections.as_ref().unwrap();
        assert!((3..=6).contains(&found.truth.len()));
        let classes: std::collections::BTreeSet<u32> =
            found.truth.iter().map(|one| one.class).collect();
        assert_eq!(classes.len(), found.truth.len(), "one object of each kind");
        for one in &found.truth {
            // The box touches labelled pixels on each edge, and contains at least as many of them
            // as its area.
            let name = found.class(one.class);
            let [left, top, width, height] = one.xywh.map(|at| at as usize);
            let of = |x: usize, y: usize| names[labels[y * 160 + x] as usize] == name;
            assert!((left..left + width).any(|x| of(x, top)), "{name}");
            assert!((top..top + height).any(|y| of(left, y)), "{name}");
            let inside =
                (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
            let inside = inside.filter(|&(x, y)| of(x, y)).count();
            assert!(inside as f64 >= one.area && one.area > 0.0);
        }
        let group = item(&page, "grouping");
        let MapValues::Runs { runs, .. } = &group.content.maps[0].values else {
            panic!("runs");
        };
        let mask = Raster::of_runs(160, runs).unwrap();
        let Values::Mask(mask) = mask.values else {
            panic!("a mask");
        };
        let [x, y, ..] = group.content.boxes[0].xyxy.map(|at| at as usize);
        assert!(mask[y * 160 + x]);
        let label = labels[y * 160 + x];
        assert!(label >= 2);
        assert!(
            mask.iter()
                .zip(&labels)
                .all(|(on, other)| !on || *other == label)
        );
    }
}

#[test]
fn depth_and_normals_are_those_of_the_same_surfaces() {
    let page = set(6).page(0);
    let (Values::Depth(depth), Values::Normals(normals), Values::Labels(labels)) = (
        map(&page, item(&page, "depth")),
        map(&page, item(&page, "normals")),
        map(&page, item(&page, "segmentation")),
    ) else {
        panic!("maps");
    };
    let at = |x: usize, y: usize| y * 160 + x;
    // Down the picture, the floor comes nearer; it faces up and towards the viewer. The wall is
    // behind everything.
    let floor: Vec<usize> = (0..160 * 160).filter(|place| labels[*place] == 1).collect();
    assert!(floor.len() > 2_000);
    for place in &floor {
        let [right, up, out] = normals[*place];
        assert!(
            right.abs() < 0.15 && up > 0.6 && out > 0.0,
            "{:?}",
            normals[*place]
        );
    }
    let (first, last) = (floor[0], floor[floor.len() - 1]);
    assert!(depth[first] > depth[last] + 500.0);
    // Visible surfaces face the viewer, and the depth of a plane matches its normal.
    let mut checked = 0;
    for y in 1..159 {
        for x in 1..159 {
            let [_, _, out] = normals[at(x, y)];
            assert!(out > -0.75, "a surface that faces away: {out}");
            let same = |place: usize| {
                let near = normals[place].iter().zip(&normals[at(x, y)]);
                labels[place] == labels[at(x, y)]
                    && near.map(|(a, b)| (a - b).abs()).sum::<f64>() < 0.01
            };
            if labels[at(x, y)] == 0 && same(at(x - 1, y)) && same(at(x + 1, y)) {
                // Inverse depth is linear over a plane; depth is rounded to millimeters.
                let inverse = |x: usize| 1e6 / depth[at(x, y)];
                let bend = inverse(x - 1) + inverse(x + 1) - 2.0 * inverse(x);
                assert!(bend.abs() < 0.2, "{bend}");
                checked += 1;
            }
        }
    }
    assert!(checked > 1_000, "{checked}");
}

#[test]
fn a_plain_picture_has_the_same_annotations() {
    let (rich, plain) = (set(6).page(0), set(6).in_style(Style::Plain).page(0));
    assert_eq!(rich.files, plain.files);
    assert_ne!(rich.pictures[0].pixels, plain.pictures[0].pixels);
    for (rich, plain) in rich.items.iter().zip(&plain.items) {
        assert_eq!(rich.detections, plain.detections);
        assert_eq!(rich.content.target, plain.content.target);
    }
    // Flat objects have few colours, except on smoothed edges.
    let mut colors = std::collections::BTreeMap::new();
    for pixel in plain.pictures[0].pixels.pixels() {
        *colors.entry(pixel.0).or_insert(0) += 1;
    }
    let mut counts: Vec<i32> = colors.into_values().collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    assert!(counts.iter().take(8).sum::<i32>() > 160 * 160 * 9 / 10);
}

#[test]
fn kinds_and_letters_are_balanced_and_one_task_alone_is_the_same() {
    let things = DenseScenes::new(32 * TASKS.len(), 5).of(&[CLASSIFICATION]);
    let mut kinds = std::collections::BTreeMap::<String, u32>::new();
    let mut letters = std::collections::BTreeMap::<String, u32>::new();
    for number in 0..things.pages() {
        let content = things.page(number).items.remove(0).content;
        let letter = content.target.unwrap().to_string();
        let right = content
            .choices
            .iter()
            .find(|choice| choice.letter == letter);
        *kinds.entry(right.unwrap().text.clone()).or_default() += 1;
        *letters.entry(letter).or_default() += 1;
    }
    assert!(
        kinds.len() == 8 && kinds.values().all(|count| *count == 4),
        "{kinds:?}"
    );
    assert!(
        letters.len() == 4 && letters.values().all(|count| *count == 8),
        "{letters:?}"
    );
    let whole = DenseScenes::new(12, 5).page(1);
    let alone = things.page(1);
    assert_eq!(item(&whole, CLASSIFICATION), &alone.items[0]);
    let path = alone.items[0].picture();
    let of = |page: &Page| {
        let mut pictures = page.pictures.iter();
        pictures
            .find(|picture| Some(picture.path.as_str()) == path)
            .unwrap()
            .pixels
            .clone()
    };
    assert_eq!(of(&whole), of(&alone));
}

/// The output of the generator is pinned: a change of the drawing needs a new number in
/// [`GENERATOR`].
#[test]
fn what_the_generator_draws_is_known() {
    let mut digest = blake3::Hasher::new();
    for number in 0..3 {
        let page = set(18).page(number);
        for picture in &page.pictures {
            digest.update(picture.pixels.as_raw());
        }
        for (path, bytes) in &page.files {
            digest.update(path.as_bytes()).update(bytes);
        }
        for item in page.items {
            digest.update(item.line().as_bytes());
        }
    }
    let digest = digest.finalize().to_hex();
    assert_eq!(
        (GENERATOR, &digest[..16]),
        ("eyechart-scenes-3", "144ede912c223a55")
    );
}
