//! Test support: fixtures, and a checker of JSON schemas.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use serde_json::Value as Json;

/// Returns a file or folder under `tests/fixtures`.
pub fn fixture(path: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("tests/fixtures")
        .join(path)
}

/// The part of JSON Schema (draft 7) that Every Eval Ever uses.
pub struct Schema(Json);

impl Schema {
    /// Reads a pinned schema.
    pub fn read(name: &str) -> Self {
        let text = fs::read_to_string(fixture(&format!("every_eval_ever/schemas/{name}")));
        Self(serde_json::from_str(&text.unwrap()).unwrap())
    }

    /// Checks a value. The error contains the first path that does not match the schema.
    pub fn check(&self, value: &Json) -> Result<(), String> {
        self.fits(&self.0, value, "$")
    }

    fn fits(&self, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
        if let Some(name) = schema.get("$ref").and_then(Json::as_str) {
            let target = self.0.pointer(name.strip_prefix('#').unwrap()).unwrap();
            return self.fits(target, value, at);
        }
        let fails = |what: &str| Err(format!("{at}: {what}: {value}"));
        let is = |kind: &str| match kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            "integer" => value.is_i64() || value.is_u64(),
            _ => value.is_number(),
        };
        match schema.get("type") {
            Some(Json::String(kind)) if !is(kind) => return fails("type"),
            Some(Json::Array(kinds)) if !kinds.iter().any(|kind| is(kind.as_str().unwrap())) => {
                return fails("type");
            }
            _ => {}
        }
        if schema.get("const").is_some_and(|wanted| wanted != value) {
            return fails("const");
        }
        if let Some(all) = schema.get("enum").and_then(Json::as_array)
            && !all.contains(value)
        {
            return fails("enum");
        }
        if let (Some(pattern), Some(text)) = (schema.get("pattern"), value.as_str())
            && !Regex::new(pattern.as_str().unwrap())
                .unwrap()
                .is_match(text)
        {
            return fails("pattern");
        }
        let minimum = schema.get("minimum").and_then(Json::as_f64);
        if let (Some(minimum), Some(number)) = (minimum, value.as_f64())
            && number < minimum
        {
            return fails("minimum");
        }
        if schema
            .get("not")
            .is_some_and(|not| self.fits(not, value, at).is_ok())
        {
            return fails("not");
        }
        if let Some(several) = schema.get("oneOf").and_then(Json::as_array) {
            let fitting = several
                .iter()
                .filter(|one| self.fits(one, value, at).is_ok());
            if fitting.count() != 1 {
                return fails("oneOf");
            }
        }
        for every in schema
            .get("allOf")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
        {
            self.fits(every, value, at)?;
        }
        if let Some(test) = schema.get("if") {
            let part = if self.fits(test, value, at).is_ok() {
                "then"
            } else {
                "else"
            };
            if let Some(part) = schema.get(part) {
                self.fits(part, value, at)?;
            }
        }
        self.fits_members(schema, value, at)
    }

    fn fits_members(&self, schema: &Json, value: &Json, at: &str) -> Result<(), String> {
        if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
            for (place, one) in values.iter().enumerate() {
                self.fits(items, one, &format!("{at}[{place}]"))?;
            }
        }
        let Some(members) = value.as_object() else {
            return Ok(());
        };
        for name in schema
            .get("required")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
        {
            if !members.contains_key(name.as_str().unwrap()) {
                return Err(format!("{at}: {name} is missing"));
            }
        }
        for (name, member) in members {
            let at = format!("{at}.{name}");
            match schema.get("properties").and_then(|all| all.get(name)) {
                Some(property) => self.fits(property, member, &at)?,
                None => match schema.get("additionalProperties") {
                    Some(Json::Bool(false)) => return Err(format!("{at}: not allowed")),
                    Some(others @ Json::Object(_)) => self.fits(others, member, &at)?,
                    _ => {}
                },
            }
        }
        Ok(())
    }
}
