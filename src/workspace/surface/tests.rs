use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;

use super::*;
use crate::load::{Request, load};
use crate::page::{Detail, pictured};
use crate::picture::{Layers, sources};
use crate::sample_panel::{maps_with_letters, sample_panels};
use media::{Orientation, Pen, Region};
use record::{ItemId, Row, Scoring, Table};

fn fixture(folder: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("tests/fixtures")
        .join(folder)
}

fn table(folder: &str) -> Table {
    let request = Request {
        paths: vec![fixture(folder)],
        ..Request::default()
    };
    load(&request, &mut |_| ControlFlow::Continue(()))
}

fn details(table: &Table) -> impl Iterator<Item = Detail> + '_ {
    let rows = u32::try_from(table.len()).unwrap();
    (0..rows).map(|row| pictured(table, Row(row), Scoring::Harness).unwrap())
}

fn kinds(detail: &Detail) -> Vec<(MapRole, bool)> {
    let surfaces = detail.surfaces.iter();
    surfaces.map(|it| (it.what, it.shown.is_ok())).collect()
}

/// Shares and accuracy were computed with numpy from the PNGs and the JSON files.
#[test]
fn panoptic_segments_are_painted_by_class() {
    let table = table("coco_panoptic");
    let is_it = |it: &Detail| it.list.model == "far" && it.list.sample_id == "4";
    let detail = details(&table).find(is_it).unwrap();
    let all = [MapRole::Target, MapRole::Prediction, MapRole::Error];
    assert_eq!(kinds(&detail), all.map(|what| (what, true)));
    let Key::Parts(parts) = &detail.surfaces[0].shown.as_ref().unwrap().key else {
        panic!("labels have names");
    };
    let sky = parts.iter().find(|part| part.name == "sky").unwrap();
    assert!((sky.share - 0.380_208_3).abs() < 1e-6, "{}", sky.share);
    let figures = &detail.surfaces[2].shown.as_ref().unwrap().figures;
    let accuracy = figures.iter().find(|(name, _)| *name == "pixel_accuracy");
    let accuracy = accuracy.unwrap().1.unwrap();
    assert!((accuracy - 0.287_709_5).abs() < 1e-6, "{accuracy}");
}

#[test]
fn figures_of_a_picture_are_those_that_were_computed_pixel_by_pixel() {
    let text = std::fs::read_to_string(fixture("maps/expected.json")).unwrap();
    let expected: Json = serde_json::from_str(&text).unwrap();
    let table = table("maps");
    let mut checked = 0;
    for detail in details(&table) {
        let all = [MapRole::Target, MapRole::Prediction, MapRole::Error];
        assert_eq!(kinds(&detail), all.map(|what| (what, true)));
        let figures = &detail.surfaces[2].shown.as_ref().unwrap().figures;
        let wanted = expected[&detail.list.model][&detail.list.ability].as_object();
        for (name, value) in wanted.unwrap() {
            let found = figures.iter().find(|(known, _)| known == name).unwrap().1;
            let apart = (found.unwrap() - value.as_f64().unwrap()).abs();
            assert!(
                apart < 1e-6,
                "{} {name}: {found:?} {value}",
                detail.list.sample_id
            );
            checked += 1;
        }
    }
    assert_eq!(checked, 18);
}

#[test]
fn what_is_in_no_file_is_said_and_the_truth_is_drawn_all_the_same() {
    let table = table("taskit");
    let mut said = 0;
    for detail in details(&table).filter(|it| it.list.ability == "depth") {
        let prediction = detail
            .surfaces
            .iter()
            .find(|it| it.what == MapRole::Prediction);
        let why = prediction.unwrap().shown.as_ref().unwrap_err();
        assert!(why.contains("no file has"), "{why}");
        assert!(detail.surfaces.iter().all(|it| it.what != MapRole::Error));
        said += 1;
    }
    assert!(said > 0);
    let of_mask = |detail: &Detail| detail.list.ability == "grouping";
    let grouping = details(&table).find(of_mask).unwrap();
    assert_eq!(grouping.surfaces.len(), 3);
    let Key::Parts(parts) = &grouping.surfaces[2].shown.as_ref().unwrap().key else {
        panic!("no parts")
    };
    assert!(
        parts
            .iter()
            .all(|part| part.share > 0.0 && part.share < 0.1)
    );
}

#[test]
fn what_was_not_measured_has_no_colour_and_no_error() {
    let table = table("maps");
    let depth = details(&table)
        .find(|it| it.list.ability == "depth")
        .unwrap();
    let ground = image::RgbaImage::from_pixel(96, 72, image::Rgba([9, 9, 9, 255]));
    for surface in &depth.surfaces {
        let layer = surface.shown.as_ref().unwrap().layer(Letter::A);
        let mut picture = ground.clone();
        layer.lay(&mut picture, Region::WHOLE, Orientation::UPRIGHT, Pen::OWN);
        let bare = picture.get_pixel(5, 0) == ground.get_pixel(5, 0);
        assert_eq!(
            bare,
            surface.what != MapRole::Prediction,
            "{:?}",
            surface.what
        );
        assert_ne!(picture.get_pixel(5, 60), ground.get_pixel(5, 60));
    }
}

#[test]
fn maps_stand_beside_the_picture_and_masks_on_it() {
    let table = table("maps");
    let find = |ability: &str, model: &str| {
        let wanted = |it: &Detail| it.list.ability == ability && it.list.model == model;
        details(&table).find(wanted).unwrap()
    };
    let shown = |ability: &str, layers: Layers, second: Option<&Detail>| {
        let first = find(ability, "near");
        let surfaces = maps_with_letters(&first, second);
        let sources = sources(&table, &first);
        let panels = sample_panels(sources, &[], &surfaces, layers, ["near", "far"]);
        let panel =
            |panel: &crate::sample_panel::SamplePanel| (panel.caption.clone(), panel.maps.len());
        panels.iter().map(panel).collect::<Vec<_>>()
    };
    let captions = |captions: &[(&str, usize)]| -> Vec<(String, usize)> {
        captions
            .iter()
            .map(|(caption, maps)| ((*caption).to_owned(), *maps))
            .collect()
    };
    let (a, error) = (("A near", 1), ("error of A near", 1));
    let all = captions(&[("picture", 0), ("target", 1), a, error]);
    assert_eq!(shown("depth", Layers::All, None), all);
    assert_eq!(
        shown("depth", Layers::Error(Letter::A), None),
        captions(&[error])
    );
    assert_eq!(shown("depth", Layers::None, None), captions(&[("", 0)]));
    let far = find("depth", "far");
    let second = captions(&[("picture", 0), ("target", 1), a, ("B far", 1)]);
    assert_eq!(shown("depth", Layers::All, Some(&far)), second);
    assert_eq!(shown("grouping", Layers::All, None), captions(&[("", 2)]));
    assert_eq!(
        shown("grouping", Layers::Target, None),
        captions(&[("", 1)])
    );
    assert_eq!(
        shown("grouping", Layers::Error(Letter::A), None),
        captions(&[("", 1)])
    );
}

#[test]
fn maps_of_different_sizes_are_compared_at_the_annotation_s() {
    let mask = |width, runs: &[u32]| Raster::of_runs(width, runs).unwrap();
    let truth = mask(4, &[0, 8, 8]);
    let compared = judge::compare(&truth, &mask(2, &[0, 2, 2])).unwrap();
    assert_eq!(compared.figures, [("iou", Some(1.0))]);
    let depth = Raster {
        width: 1,
        height: 1,
        values: Values::Depth(vec![1.0]),
    };
    assert!(judge::compare(&truth, &depth).is_none());
}

#[test]
fn a_map_that_cannot_be_read_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let line = serde_json::json!({"sample_id": "1", "model": "m", "ability": "depth", "score": 0.5, "maps": [
        {"role": "target", "kind": "depth", "picture": "../secret.png"},
        {"role": "prediction", "kind": "mask", "width": 3, "runs": [1, 1]},
        {"role": "prediction", "kind": "smell", "picture": "a.png"}]});
    std::fs::write(folder.path().join("a.eyechart.jsonl"), format!("{line}\n")).unwrap();
    let request = Request {
        paths: vec![folder.path().to_owned()],
        ..Request::default()
    };
    let table = load(&request, &mut |_| ControlFlow::Continue(()));
    assert_eq!(table.sample_id(ItemId(0)), "1");
    let detail = pictured(&table, Row(0), Scoring::Harness).unwrap();
    let why = |at: usize| detail.surfaces[at].shown.as_ref().unwrap_err().as_str();
    assert!(why(0).contains("not found"), "{}", why(0));
    assert!(why(1).contains("rows"), "{}", why(1));
    assert_eq!(detail.surfaces.len(), 2);
}
