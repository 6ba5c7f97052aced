//! Tests what is sent for a sample with several pictures.

use base64::Engine as _;
use image::{Rgb, RgbImage};
use serde_json::{Value as Json, json};

use super::log::Log;
use super::server::Server;

/// A grey picture whose shade depends on the number.
pub fn shade(number: u8) -> RgbImage {
    RgbImage::from_pixel(12, 8, Rgb([number * 40; 3]))
}

/// Returns the parts of each message of the last request: text, or the shade of a picture.
fn sent(server: &Server) -> Vec<String> {
    let body = server.seen.lock().unwrap().last.clone();
    let messages = body["messages"].as_array().unwrap().clone();
    let part = |part: &Json| match part["image_url"]["url"].as_str() {
        None => part["text"].as_str().unwrap().to_owned(),
        Some(url) => {
            let (head, data) = url.split_once(";base64,").unwrap();
            let bytes = base64::engine::general_purpose::STANDARD
                .decode(data)
                .unwrap();
            let kind = image::guess_format(&bytes).unwrap().to_mime_type();
            assert_eq!(head, format!("data:{kind}"));
            format!(
                "{{{}}}",
                eyechart::media::decode(&bytes, "sent")
                    .unwrap()
                    .pixels
                    .get_pixel(0, 0)[0]
                    / 40
            )
        }
    };
    let message = |message: &Json| match message["content"].as_array() {
        Some(parts) => parts.iter().map(part).collect::<Vec<_>>().join("|"),
        None => message["content"].as_str().unwrap().to_owned(),
    };
    messages.iter().map(message).collect()
}

/// Asks one question about pictures 1, 2 and 3. Returns the messages that were sent.
fn sent_for(question: &str, conversation: Option<Json>) -> Vec<String> {
    let (log, server) = (Log::new(0), Server::new());
    for number in 1..=3 {
        let name = format!("{number}.png");
        shade(number).save(log.path(&name)).unwrap();
    }
    let mut line = json!({
        "sample_id": "many", "benchmark": "several", "ability": "order", "model": "old", "question": question,
        "images": ["1.png", "2.png", "3.png"], "choices": ["light", "dark"], "target": "A", "response": "B",
    });
    if let Some(messages) = conversation {
        line["sent"] = json!({"messages": messages});
    }
    std::fs::write(log.path("corners.eyechart.jsonl"), format!("{line}\n")).unwrap();
    log.config(&server.base("constant"), "");
    log.patient();
    let output = log.rerun(&["--protocol", "vanilla"]);
    assert_eq!(output.code, 0, "{}", output.err);
    let names = log.records()[0]["images"].as_array().unwrap().len();
    assert_eq!(names, 3, "the new log shows all pictures");
    sent(&server)
}

#[test]
fn all_pictures_of_a_sample_are_sent_where_the_log_has_them() {
    for (question, expected) in [
        ("Which is darkest?", "{1}|{2}|{3}|Which is darkest?"),
        (
            "1: <image>\n2: <image>\n3: <image>\nWhich?",
            "1: |{1}|2: |{2}|3: |{3}|Which?",
        ),
        (
            "Is <image 3> darker than <|image_1|>?",
            "{2}|Is |{3}| darker than |{1}|?",
        ),
    ] {
        let options = "A. light\nB. dark\nAnswer with the letter of the right option.";
        assert_eq!(sent_for(question, None), [format!("{expected}\n{options}")]);
    }
}

#[test]
fn examples_with_pictures_are_sent_as_the_log_holds_them() {
    let messages = json!([
        {"role": "user", "content": [{"picture": 1}, "Is it dark?"]},
        {"role": "assistant", "content": ["no"]},
        {"role": "user", "content": ["Compare <image> with <image>.", {"picture": 0}, {"picture": 2}]},
    ]);
    let sent = sent_for("Compare.", Some(messages));
    assert_eq!(sent, ["{2}|Is it dark?", "no", "Compare |{1}| with |{3}|."]);
}
