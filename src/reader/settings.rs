//! Settings of a run from the header of its log. They have the same names for all harnesses.

use serde_json::Value as Json;

use super::json::plain;
use record::Settings;

/// Parts of the names of arguments that set a model's picture size.
const SIZES: [&str; 7] = [
    "pixel",
    "resolution",
    "image_size",
    "img_size",
    "max_image",
    "tile",
    "frames",
];

/// Adds a setting if the header contains it.
pub fn keep(settings: &mut Settings, name: &'static str, value: Option<&Json>) {
    if let Some(value) = value.filter(|value| !value.is_null()) {
        settings.insert(name, without_places(&plain(value)));
    }
}

/// Parts of the names of arguments that affect a model's answers. The other arguments contain
/// paths, devices and secrets.
#[rustfmt::skip]
const ANSWERING: [&str; 22] = [
    "revision", "dtype", "4bit", "8bit", "quant", "peft", "lora", "adapter", "delta", "subfolder",
    "bits", "max_length", "rope", "think", "reasoning", "template", "bos_token", "temperature",
    "top_p", "top_k", "max_new_tokens", "max_gen_toks",
];

/// Returns the arguments of a model that affect its answers, without the picture size. `None` if
/// there are none.
pub fn model_arguments(arguments: &Json) -> Option<Json> {
    let told = having(arguments, &ANSWERING);
    (!told.is_empty()).then(|| Json::from(told.join(", ")))
}

/// Returns the picture size in the arguments of a model.
pub fn resolution(arguments: &Json) -> String {
    let told = having(arguments, &SIZES);
    if told.is_empty() {
        return "the model's own".to_owned();
    }
    told.join(", ")
}

/// Returns the arguments whose names contain one of `parts`, in the form `key=value`.
fn having(arguments: &Json, parts: &[&str]) -> Vec<String> {
    let mut told = members(arguments);
    told.retain(|(key, value)| {
        let key = key.to_lowercase();
        value != "null" && parts.iter().any(|part| key.contains(part))
    });
    told.sort();
    told.iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect()
}

/// Splits the arguments of a model into pairs. They are an object, or a text `key=value,key=value`.
fn members(arguments: &Json) -> Vec<(String, String)> {
    match arguments {
        Json::Object(members) => {
            let members = members.iter();
            members
                .map(|(key, value)| (key.clone(), plain(value)))
                .collect()
        }
        Json::String(text) => {
            let members = text.split(',').filter_map(|member| member.split_once('='));
            members
                .map(|(key, value)| (key.trim().to_owned(), value.to_owned()))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Removes memory addresses, because they differ between runs. An example is
/// `<function mmstar_doc_to_text at 0x7f73>`.
fn without_places(text: &str) -> String {
    let mut parts = text.split(" at 0x");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
    }
    kept
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sizes_are_found_among_arguments() {
        let told = "pretrained=org/vl,max_pixels=200704, min_pixels=3136,device=cuda";
        let expected = "max_pixels=200704, min_pixels=3136";
        assert_eq!(resolution(&json!(told)), expected);
        let told = json!({"min_pixels": 3136, "max_pixels": 200_704, "api_key": "secret"});
        assert_eq!(resolution(&told), expected);
        assert_eq!(resolution(&json!("device=cuda")), resolution(&json!({})));
    }

    #[test]
    fn arguments_that_decide_answers_are_kept_and_secrets_are_not() {
        let told =
            json!("pretrained=org/vl,revision=step1000,dtype=null,api_key=secret,device=cuda");
        assert_eq!(model_arguments(&told), Some(json!("revision=step1000")));
        let told = json!({"load_in_4bit": true, "token": "secret", "base_url": "http://host"});
        assert_eq!(model_arguments(&told), Some(json!("load_in_4bit=true")));
        assert_eq!(model_arguments(&json!({})), None);
    }

    #[test]
    fn a_function_has_no_place() {
        let told = json!("<function a at 0x7f73>, <function b at 0x7f74>");
        let mut settings = Settings::new();
        keep(&mut settings, "scorer", Some(&told));
        keep(&mut settings, "prompt", Some(&Json::Null));
        assert_eq!(
            settings,
            [("scorer", "<function a>, <function b>".to_owned())].into()
        );
    }
}
