//! Writes the bill of materials in CycloneDX 1.5: the packages in the program, for any system.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use crate::metadata::{Metadata, Package};

/// Checksums of a lock file by name and version.
pub fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let lock: toml::Table = lock.parse().expect("a lock file");
    let packages = lock["package"].as_array().expect("packages");
    let text = |package: &toml::Value, name: &str| {
        let text = package.get(name).and_then(toml::Value::as_str);
        text.map(str::to_owned)
    };
    let checksum = |package: &toml::Value| {
        let name = text(package, "name")?;
        Some((
            (name, text(package, "version")?),
            text(package, "checksum")?,
        ))
    };
    packages.iter().filter_map(checksum).collect()
}

/// Package URL, by which the bill refers to a package.
fn purl(package: &Package) -> String {
    format!(
        "pkg:cargo/{}@{}",
        package.name,
        package.version.replace('+', "%2B")
    )
}

fn component(package: &Package, kind: &str, checksum: Option<&String>) -> Map<String, Json> {
    let mut component = Map::new();
    let purl = purl(package);
    component.insert("type".to_owned(), kind.into());
    component.insert("bom-ref".to_owned(), purl.as_str().into());
    component.insert("name".to_owned(), package.name.as_str().into());
    component.insert("version".to_owned(), package.version.as_str().into());
    if let Some(checksum) = checksum {
        let hashes = json!([{"alg": "SHA-256", "content": checksum}]);
        component.insert("hashes".to_owned(), hashes);
    }
    if let Some(licence) = &package.licence {
        // Older manifests separate licences with a slash.
        let licence = licence.replace(" / ", "/").replace('/', " OR ");
        component.insert("licenses".to_owned(), json!([{"expression": licence}]));
    }
    component.insert("purl".to_owned(), purl.into());
    component
}

/// Builds the bill. The same lock file always gives the same bill, because it contains no
/// timestamp.
pub fn of(
    metadata: &Metadata,
    checksums: &BTreeMap<(String, String), String>,
) -> Map<String, Json> {
    let built = metadata.built();
    let package = |id: &String| &metadata.packages[id];
    let mut ids: Vec<&String> = built.iter().copied().collect();
    ids.sort_by_key(|id| purl(package(id)));
    let components = ids.iter().filter(|id| ***id != metadata.root).map(|id| {
        let package = package(id);
        let checksum = checksums.get(&(package.name.clone(), package.version.clone()));
        Json::from(component(
            package,
            "library",
            checksum.filter(|_| package.is_foreign),
        ))
    });
    let needs = ids.iter().map(|id| {
        let needs: BTreeSet<String> = metadata.needs[*id]
            .iter()
            .map(|id| purl(package(id)))
            .collect();
        json!({"ref": purl(package(id)), "dependsOn": needs})
    });
    let program = component(package(&metadata.root), "application", None);
    let mut bill = Map::new();
    bill.insert("bomFormat".to_owned(), "CycloneDX".into());
    bill.insert("specVersion".to_owned(), "1.5".into());
    bill.insert("version".to_owned(), 1.into());
    bill.insert("metadata".to_owned(), json!({"component": program}));
    bill.insert("components".to_owned(), components.collect());
    bill.insert("dependencies".to_owned(), needs.collect());
    bill
}

/// Checks a bill against CycloneDX 1.5: field names, unique and valid references, SPDX licence
/// expressions, and lengths of hashes.
pub fn check(bill: &Map<String, Json>) {
    let known = [
        "bomFormat",
        "specVersion",
        "version",
        "metadata",
        "components",
        "dependencies",
    ];
    assert!(bill.keys().all(|key| known.contains(&key.as_str())));
    let program = &bill["metadata"]["component"];
    let components = bill["components"].as_array().expect("components");
    let mut refs = BTreeSet::new();
    for component in components.iter().chain([program]) {
        let text = |name: &str| component[name].as_str().expect("a text");
        assert!(matches!(text("type"), "library" | "application"));
        assert!(!text("name").is_empty() && !text("version").is_empty());
        assert!(text("purl").starts_with("pkg:cargo/"));
        assert!(refs.insert(text("bom-ref")), "twice: {component}");
        let licence = component["licenses"][0]["expression"].as_str();
        let licence = licence.expect("a licence");
        assert!(spdx::Expression::parse(licence).is_ok(), "{component}");
        if let Some(hashes) = component.get("hashes") {
            let hash = hashes[0]["content"].as_str().expect("a hash");
            assert!(hash.len() == 64 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()));
        }
    }
    for need in bill["dependencies"].as_array().expect("dependencies") {
        let of = need["ref"].as_str().expect("a reference");
        let needs = need["dependsOn"].as_array().expect("references");
        let mut needs = needs.iter().map(|need| need.as_str().expect("a reference"));
        assert!(refs.contains(of) && needs.all(|need| refs.contains(need)));
    }
}
