//! The models that the user asked most recently, stored for later sessions.

use std::path::Path;

use serde::{Deserialize, Serialize};

use ask::client::may_hold_key;
use ask::worker::ModelChoice;

/// Maximum number of models.
const MOST: usize = 8;

/// Recently asked models, newest first. Models of continued runs are excluded, because their
/// addresses come from a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentModels {
    asked: Vec<ModelChoice>,
    /// Models that were asked in this session.
    #[serde(skip)]
    now: Vec<ModelChoice>,
}

impl RecentModels {
    /// Reads the stored models. The list is empty if the file is missing or broken.
    pub fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        toml::from_str(&text).unwrap_or_else(|why: toml::de::Error| {
            tracing::warn!("{}: {}", file.display(), why.message());
            Self::default()
        })
    }

    /// Returns the models as TOML. Omits models whose address can contain a key.
    pub fn text(&self) -> Option<String> {
        let mut stored = self.clone();
        stored.asked.retain(|model| !may_hold_key(&model.endpoint));
        toml::to_string(&stored).ok()
    }

    /// Adds a model as the newest.
    pub fn add(&mut self, asked: ModelChoice) {
        self.asked.retain(|known| *known != asked);
        self.now.push(asked.clone());
        self.asked.insert(0, asked);
        self.asked.truncate(MOST);
    }

    /// Keeps only models whose endpoint still exists.
    pub fn retain(&mut self, exists: impl Fn(&str) -> bool) {
        self.asked.retain(|model| exists(&model.endpoint));
    }

    /// Returns true if a model that is not built in was asked only in earlier sessions. It may have
    /// been asked about other logs.
    pub fn is_of_earlier(&self, model: &ModelChoice) -> bool {
        !self.now.contains(model) && !model.endpoint.starts_with("builtin:")
    }

    /// Returns the models, newest first.
    pub fn all(&self) -> &[ModelChoice] {
        &self.asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(endpoint: &str, model: &str) -> ModelChoice {
        ModelChoice {
            endpoint: endpoint.to_owned(),
            model: model.to_owned(),
        }
    }

    #[test]
    fn the_newest_model_comes_first_and_no_secret_is_stored() {
        let mut recent = RecentModels::default();
        for endpoint in [
            "lab",
            "http://me:pass-word@h/v1",
            "http://h/v1?key=CANARY",
            "http://h/sk-CANARY/v1",
        ] {
            recent.add(model(endpoint, "m"));
        }
        recent.add(model("lab", "m"));
        assert_eq!(recent.all()[0], model("lab", "m"));
        assert_eq!(recent.all().len(), 4);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("recent.toml");
        let text = recent.text().unwrap();
        assert!(!text.contains("CANARY"), "{text}");
        std::fs::write(&file, text).unwrap();
        let read = RecentModels::read(&file);
        assert_eq!(read.all(), [model("lab", "m")]);
        assert!(read.is_of_earlier(&read.all()[0]) && !recent.is_of_earlier(&read.all()[0]));
        assert!(!read.is_of_earlier(&model("builtin:hog", "")));
        std::fs::write(&file, "asked = 3").unwrap();
        assert_eq!(RecentModels::read(&file), RecentModels::default());
        for at in 0..20 {
            recent.add(model("lab", &at.to_string()));
        }
        assert_eq!(recent.all().len(), MOST);
    }
}
