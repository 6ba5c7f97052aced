//! Common column names, from which the meaning of a column is guessed.

use base::config::ColumnMap;

/// Common column names of each field, most specific first. A name with a dot matches the end of a
/// path.
pub const NAMES: [(&str, &[&str]); 15] = [
    ("score", &SCORES),
    ("response", &RESPONSES),
    ("sample_id", &SAMPLES),
    ("model", &MODELS),
    ("condition", &CONDITIONS),
    ("split", &["split"]),
    ("ability", &ABILITIES),
    ("question", &QUESTIONS),
    ("target", &TARGETS),
    ("image", &PICTURES),
    ("choices", &["choices", "options", "candidates"]),
    ("parsed", &PARSED),
    ("metric", &["metric"]),
    ("direction", &["direction"]),
    ("benchmark", &["benchmark"]),
];

#[rustfmt::skip]
pub const SCORES: [&str; 39] = [
    "score", "is_correct", "correct", "hit", "accuracy", "acc", "exact_match", "reward", "em",
    "match", "is_match", "passed", "pass_fail", "pass/fail", "judge_score", "gpt_score",
    "gpt4_score", "vqa_score", "anls", "verdict", "judgement", "judgment", "punkte", "richtig", "korrekt", "得分", "分数", "是否正确", "对错",
    "review.result", "correctness", "true_false", "is_wrong", "wrong", "is_incorrect", "incorrect", "result", "rating", "human_score",
];
#[rustfmt::skip]
pub const RESPONSES: [&str; 70] = [
    "response", "prediction", "pred", "model_response", "model_output", "model_answer",
    "model_prediction", "model_response.text", "output", "output.text", "response.text",
    "generated_text", "generation", "completion", "hypothesis", "predicted", "label_pred",
    "pred_label", "y_pred", "out", "raw_output", "raw_response", "response_text", "llm_output",
    "vlm_output", "predicted_answer", "pred_answer", "answer_pred", "pred_text",
    "pred_box", "pred_bbox", "bbox_pred", "box_pred", "predicted_box", "predicted_bbox", "predicted_label", "predicted_class", "pred_class",
    "llm_response", "message.content", "generated_answer", "pred_ans", "model_pred", "responses", "predictions", "preds",
    "generations", "completions", "outputs", "top1", "top_1",
    "pred_idx", "pred_index", "predicted_idx", "predicted_index", "generated", "hyp", "vorhersage",
    "predict", "actual_output", "guess", "antwort", "modellantwort", "预测", "模型回答", "模型答案", "回答", "réponse", "prédiction", "réponse_modèle",
];
#[rustfmt::skip]
pub const SAMPLES: [&str; 16] = [
    "sample_id", "question_id", "qid", "test_idx", "id", "uid", "index", "idx", "doc_id", "key",
    "custom_id", "nr", "nummer", "编号", "序号", ColumnMap::KEY,
];
#[rustfmt::skip]
const MODELS: [&str; 10] = [
    "model", "model_name", "model_id", "system", "provider.label", "vlm", "mllm", "modell", "模型", "modèle",
];
#[rustfmt::skip]
const CONDITIONS: [&str; 10] = [
    "condition", "prompt.label", "prompt_name", "prompt_id", "repeat", "repetition", "trial",
    "attempt", "seed", "generation_index",
];
#[rustfmt::skip]
const ABILITIES: [&str; 11] = [
    "ability", "category", "task", "task_name", "skill", "subject", "question_type", "type",
    "kategorie", "类别", "catégorie",
];
#[rustfmt::skip]
const QUESTIONS: [&str; 13] = [
    "question", "prompt", "origin_prompt", "query", "instruction", "input", "input.text", "text",
    "question_text", "expression", "referring_expression", "frage", "问题",
];
#[rustfmt::skip]
pub const TARGETS: [&str; 62] = [
    "target", "ground_truth", "gt", "gt_answer", "gold", "gold_answer", "gold_label", "reference",
    "label", "expected", "expected_answer", "correct_answer", "correct_option", "answer_key",
    "label_true", "true_label", "y_true", "truth", "gt_label", "gt_text", "gt_box", "gt_bbox",
    "bbox_gt", "target_box", "true_class", "gt_class", "solution", "lösung", "标准答案", "正确答案",
    "参考答案", "richtige_antwort", "true_box", "true_bbox", "bbox", "box", "review.gold",
    "correct_idx", "correct_index", "answer_idx", "answer_index", "gt_idx", "target_idx", "gold_idx",
    "label_idx", "labels", "targets", "answers", "gt_answers", "ground_truths", "gold_answers",
    "accepted_answers", "expected_output", "acceptable_answers", "valid_answers", "reference_answers", "references",
    "gts", "multiple_choice_answer", "réponse_attendue", "bonne_réponse", "answer",
];
#[rustfmt::skip]
const PICTURES: [&str; 18] = [
    "bild", "图片", "image", "images", "image_path", "image_file", "image_name", "image_url", "img_path",
    "img_file", "img_name", "img_url", "img", "picture", "photo", "file_name", "filename",
    "file_path",
];
#[rustfmt::skip]
const PARSED: [&str; 5] = [
    "parsed", "extracted", "parsed_answer", "extracted_answer", "extracted_prediction",
];

/// Additional names of the model column in tables of published scores.
pub const METHODS: [&str; 7] = [
    "method",
    "name",
    "encoder",
    "backbone",
    "network",
    "",
    "unnamed: 0",
];

/// Additional names of the model column in tables of samples, used only without a common name.
#[rustfmt::skip]
pub const ENCODERS: [&str; 8] = [
    "encoder", "vision_encoder", "backbone", "network", "method", "checkpoint", "ckpt",
    "model_path",
];

/// Names of columns with a part of a benchmark; sample ids can repeat between parts.
pub const PARTS: [&str; 4] = ["dataset", "data_set", "subset", "config"];

/// Names of the score column in tables with a single score per row.
pub const VALUES: [&str; 4] = ["value", "result", "performance", "points"];

/// Names of numeric columns that are not scores.
#[rustfmt::skip]
pub const FACTS: [&str; 50] = [
    "params", "parameters", "size", "img_size", "image_size", "resolution", "flops", "year",
    "date", "rank", "n", "count", "seed", "epoch", "#", "no", "gflops", "macs", "throughput", "fps",
    "epochs", "batch size", "lr", "learning rate", "tokens", "#tokens", "mem", "memory", "res",
    "input size", "std", "stderr", "std err", "se", "ci", "len", "length", "n_seeds", "n_samples", "num_samples",
    "support", "num", "runtime", "step_time", "infer_step_time", "infer_batch_size", "param_count", "batch_size",
    "created", "#images",
];
/// Last words of the names of numeric columns that are not scores: `Avg Rank`, `Context length`.
#[rustfmt::skip]
pub const LAST_FACTS: [&str; 15] = [
    "rank", "runtime", "size", "length", "params", "flops", "gflops", "macs", "gmacs", "macts", "resolution", "std", "stderr",
    "ci", "se",
];

/// First words of the names of numeric columns that are not scores: `params_B`, `latency_ms`.
pub const FIRST_FACTS: [&str; 7] = [
    "params", "latency", "runtime", "price", "cost", "memory", "vram",
];

/// Names of columns with the mean of the other scores in a row.
#[rustfmt::skip]
pub const AGGREGATES: [&str; 16] = [
    "avg", "average", "overall", "mean", "total", "avg score", "average score", "overall score", "mean score",
    "avg acc", "avg accuracy", "average accuracy", "macro avg", "weighted avg", "micro avg", "total score",
];

/// Beginnings of words in the names of well-known vision-language models. Names of metrics, such as
/// `clip` and `dino`, are left out.
#[rustfmt::skip]
const FAMILIES: [&str; 32] = [
    "gpt", "chatgpt", "claude", "gemini", "gemma", "paligemma", "llava", "qwen", "qwq", "internvl", "internlm",
    "llama", "mistral", "pixtral", "molmo", "deepseek", "instructblip", "idefics", "smolvlm", "cogvlm", "minicpm",
    "kosmos", "phi3", "phi4", "phi-", "nvila", "grok", "minigpt", "mplug", "moondream", "siglip", "dinov",
];

/// True if a word of a name begins like a well-known model: `gpt4`, `openai/gpt-4o`.
pub fn names_model(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(['_', '.', ' ', '/', '(']);
    words.any(|word| FAMILIES.iter().any(|family| word.starts_with(family)))
}

/// True if a column has this name, or its path ends with it. Ignores case and separators.
pub fn is_named(column: &str, name: &str) -> bool {
    let parts = name.matches('.').count() + 1;
    let start = column.rmatch_indices('.').nth(parts - 1);
    let end = start.map_or(column, |(at, _)| &column[at + 1..]);
    is_alike(end, name)
}

/// True if a column is the member `value`, `text` or `answer` of an object with this name, such as
/// `expected.value`.
pub fn is_inside(column: &str, name: &str) -> bool {
    let parts = column.rsplit_once('.');
    parts.is_some_and(|(object, member)| {
        ["value", "text", "answer"].contains(&member) && is_named(object, name)
    })
}

/// True for a common name of any field.
pub fn is_usual(name: &str) -> bool {
    let mut names = NAMES.iter().flat_map(|(_, names)| *names);
    names.any(|known| is_alike(name, known))
}

/// True for the name of a mean or total over the other scores.
pub fn is_aggregate(name: &str) -> bool {
    AGGREGATES.iter().any(|known| is_alike(name, known))
}

/// True if two names are equal, ignoring case, separators and question marks.
pub fn is_alike(one: &str, other: &str) -> bool {
    fn plain(text: &str) -> impl Iterator<Item = char> {
        let letters = text.chars().filter(|c| ![' ', '-', '_', '?'].contains(c));
        letters.flat_map(char::to_lowercase)
    }
    plain(one).eq(plain(other))
}
