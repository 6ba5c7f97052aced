//! Reads the profile files of the AWS tools, which the `object_store` crate ignores.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// Settings of a profile, and the environment variables that correspond to them.
const SETTINGS: [(&str, &str); 5] = [
    ("aws_access_key_id", "AWS_ACCESS_KEY_ID"),
    ("aws_secret_access_key", "AWS_SECRET_ACCESS_KEY"),
    ("aws_session_token", "AWS_SESSION_TOKEN"),
    ("region", "AWS_REGION"),
    ("endpoint_url", "AWS_ENDPOINT_URL"),
];

/// Returns the settings of the profile by environment variable. Variables that are already set take
/// precedence.
pub fn settings(variable: &dyn Fn(&str) -> Option<String>) -> BTreeMap<&'static str, String> {
    let name = variable("AWS_PROFILE").unwrap_or_else(|| "default".to_owned());
    let home = etcetera::home_dir().ok();
    let file = |named: &str, usual: &str| -> Option<String> {
        let named = variable(named).map(PathBuf::from);
        let path = named.or_else(|| Some(home.as_ref()?.join(".aws").join(usual)))?;
        fs::read_to_string(path).ok()
    };
    let mut found = BTreeMap::new();
    let config = file("AWS_CONFIG_FILE", "config");
    let heading = match name.as_str() {
        "default" => name.clone(),
        other => format!("profile {other}"),
    };
    take(config.as_deref(), &heading, &mut found);
    let credentials = file("AWS_SHARED_CREDENTIALS_FILE", "credentials");
    take(credentials.as_deref(), &name, &mut found);
    found
}

/// Reads the settings below a heading of a file.
fn take(text: Option<&str>, heading: &str, found: &mut BTreeMap<&'static str, String>) {
    let mut is_ours = false;
    for line in text.unwrap_or_default().lines() {
        let line = line.trim();
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.split(']').next())
        {
            is_ours = name.trim() == heading;
        } else if let Some((name, value)) = line.split_once('=').filter(|_| is_ours) {
            let known = SETTINGS.iter().find(|(known, _)| *known == name.trim());
            found.extend(known.map(|(_, variable)| (*variable, value.trim().to_owned())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_read_from_both_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        let config = "[default]\nregion = us-west-2\n[profile team]\nregion=eu-central-1\nendpoint_url = http://h:1\n";
        fs::write(at("config"), config).unwrap();
        let credentials = "# keys\n[default]\naws_access_key_id = D\n\n[team]\naws_access_key_id=K\naws_secret_access_key = a=b/c\n";
        fs::write(at("credentials"), credentials).unwrap();
        let settings = |profile: Option<&str>| {
            settings(&|name| match name {
                "AWS_PROFILE" => profile.map(str::to_owned),
                "AWS_CONFIG_FILE" => Some(at("config")),
                "AWS_SHARED_CREDENTIALS_FILE" => Some(at("credentials")),
                _ => None,
            })
        };
        let team = settings(Some("team"));
        assert_eq!(team["AWS_SECRET_ACCESS_KEY"], "a=b/c");
        assert_eq!(team["AWS_REGION"], "eu-central-1");
        assert_eq!(team["AWS_ENDPOINT_URL"], "http://h:1");
        assert_eq!(settings(None)["AWS_ACCESS_KEY_ID"], "D");
        assert!(settings(Some("none")).is_empty());
    }
}
