//! Tests of tables with several models per row, rows inside documents, and cells with option
//! numbers, box sizes or errors.

use super::through;
use record::Record;

/// Returns the model, target and response of each record, in reading order.
fn answers(name: &str, text: &str) -> Vec<[String; 3]> {
    let (records, problems) = through(name, text, None);
    assert_eq!(problems, [""; 0], "{name}");
    let answer = |(record, _): (Record, u64)| {
        let target = record.content.target.map(|target| target.to_string());
        let texts = [target, record.response];
        let [target, response] = texts.map(Option::unwrap_or_default);
        [record.model, target, response]
    };
    records.into_iter().map(answer).collect()
}

#[test]
fn answers_of_several_models_in_a_row_are_told_apart() {
    let expected = [
        ["a7b", "yes", "no"],
        ["b13", "yes", "yes"],
        ["a7b", "no", "no"],
    ];
    let expected = expected.map(|row| row.map(str::to_owned));
    for (name, text) in [
        (
            "x.csv",
            "id,question,gt,a7b_pred,b13_pred\n1,q,yes,no,yes\n2,r,no,no,no\n",
        ),
        (
            "x.jsonl",
            "{\"id\": 1, \"question\": \"q\", \"gt\": \"yes\", \"responses\": {\"a7b\": \"no\", \"b13\": \"yes\"}}\n\
             {\"id\": 2, \"question\": \"r\", \"gt\": \"no\", \"responses\": {\"a7b\": \"no\", \"b13\": null}}\n",
        ),
        (
            "y.json",
            "[{\"id\": 1, \"gt\": \"yes\", \"outputs\": {\"a7b\": {\"text\": \"no\", \"correct\": false}, \"b13\": {\"text\": \"yes\", \"correct\": true}}},\n\
             {\"id\": 2, \"gt\": \"no\", \"outputs\": {\"a7b\": {\"text\": \"no\", \"correct\": true}}}]",
        ),
    ] {
        assert_eq!(answers(name, text)[..3], expected, "{name}");
    }
    let named_only =
        "id,answer,Qwen2-VL,GPT-4o\n1,yes,no,yes\n2,no,no,no\n3,yes,yes,yes\n4,no,yes,yes\n";
    let models = answers("z.csv", named_only)
        .into_iter()
        .map(|[model, ..]| model);
    assert_eq!(models.take(2).collect::<Vec<_>>(), ["Qwen2-VL", "GPT-4o"]);
    let (records, _) = through(
        "w.csv",
        "id,gt,a7b_pred,b13_pred,a7b_correct,b13_correct\n1,x,y,z,0,1\n",
        None,
    );
    let scores = records
        .iter()
        .map(|(record, _)| (record.metric.as_deref(), record.stored));
    let scores: Vec<_> = scores.collect();
    assert_eq!(
        scores,
        [(Some("accuracy"), Some(0.0)), (Some("accuracy"), Some(1.0))]
    );
}

#[test]
fn rows_are_found_inside_documents_and_in_columns() {
    let rows = "[{\"qid\": 1, \"gt\": \"yes\", \"prediction\": \"no\"}, {\"qid\": 2, \"gt\": \"no\", \"prediction\": \"no\"}]";
    for (text, model) in [
        (format!("{{\"config\": {{\"model\": \"m\", \"lr\": 1}}, \"accuracy\": 0.5, \"results\": {rows}}}"), "m"),
        (format!("{{\"results\":\n{rows},\n\"n\": 2, \"model_name\": \"m\"}}"), "m"),
        (format!("{{\"schema\": {{\"fields\": [{{\"name\": \"qid\"}}]}}, \"data\": {rows}}}"), "x"),
        ("{\"qid\": {\"0\": 1, \"1\": 2}, \"gt\": {\"0\": \"yes\", \"1\": \"no\"}, \"prediction\": {\"0\": \"no\", \"1\": \"no\"}}".to_owned(), "x"),
        ("{\"model\": \"m\", \"qid\": [1, 2], \"gt\": [\"yes\", \"no\"], \"prediction\": [\"no\", \"no\"]}".to_owned(), "m"),
    ] {
        let expected = [[model, "yes", "no"], [model, "no", "no"]];
        assert_eq!(answers("x.json", &text), expected, "{text}");
    }
    // The only row contains messages as objects.
    let row = "{\"id\": 1, \"gt\": \"a\", \"response\": \"b\", \"messages\": [{\"role\": \"user\"}, {\"role\": \"system\"}]}\n";
    assert_eq!(answers("x.jsonl", row), [["x", "a", "b"]]);
}

#[test]
fn a_target_can_be_the_number_of_an_option() {
    let row = |answer: usize, pred: &str| {
        format!(
            "{{\"id\": {answer}, \"options\": [\"red\", \"green\", \"blue\"], \"answer\": {answer}, \"pred\": {pred}}}\n"
        )
    };
    let from_zero = [row(0, "\"A\""), row(2, "1")].concat();
    assert_eq!(
        answers("x.jsonl", &from_zero),
        [["x", "A", "A"], ["x", "C", "B"]]
    );
    let from_one = [row(1, "1"), row(3, "\"blue\"")].concat();
    assert_eq!(
        answers("x.jsonl", &from_one),
        [["x", "A", "A"], ["x", "C", "blue"]]
    );
    let values =
        "{\"id\": 1, \"options\": [\"3\", \"2\", \"1\"], \"answer\": 1, \"pred\": \"C\"}\n";
    assert_eq!(answers("x.jsonl", values), [["x", "1", "C"]]);
    let (_, problems) = through("x.jsonl", &[row(0, "0"), row(3, "0")].concat(), None);
    assert_eq!(
        problems,
        ["x.jsonl:2: the target 3 is not an option number from 0 to 2: is `first_choice` right?"]
    );
}

#[test]
fn one_and_zero_can_be_yes_and_no() {
    let rows = "id,question,label,pred\n1,Is there a dog?,1,\"Yes, a dog.\"\n2,Is there a cat?,0,No\n3,Is it red?,1,Perhaps\n";
    let targets = answers("x.csv", rows)
        .into_iter()
        .map(|[_, target, _]| target);
    assert_eq!(targets.collect::<Vec<_>>(), ["yes", "no", "yes"]);
    let several = rows
        .replace("pred", "pred_seed0,pred_seed1")
        .replace(",No\n", ",No,Yes\n");
    let several = several
        .replace("dog.\"", "dog.\",No")
        .replace("Perhaps", "Perhaps,No");
    assert_eq!(answers("x.csv", &several)[1], ["x", "yes", "No"]);
    let counts = "id,question,label,pred\n1,How many dogs?,1,1\n2,How many cats?,0,2\n";
    assert_eq!(answers("x.csv", counts)[0], ["x", "1", "1"]);
}

#[test]
fn boxes_of_position_and_size_become_corners() {
    let rows = "{\"id\": 1, \"bbox\": [60, 50, 40, 30], \"pred_bbox\": [1, 2, 30, 40]}\n\
        {\"id\": 2, \"bbox\": [10, 20, 40, 30], \"pred_bbox\": [3, 4, 30, 40]}\n";
    let found = answers("x.jsonl", rows);
    assert_eq!(found[0], ["x", "[60, 50, 100, 80]", "[1,2,30,40]"]);
    assert_eq!(found[1][1], "[10, 20, 50, 50]");
    // The columns are recognised only together.
    let rows = rows
        .replace("pred_bbox", "pred_place")
        .replace("bbox", "gt_place");
    assert_eq!(answers("x.jsonl", &rows)[0], found[0]);
}

#[test]
fn a_box_may_have_a_column_for_each_number() {
    let text = "id,x1,y1,x2,y2,pred_x1,pred_y1,pred_x2,pred_y2\n1,10,20,30,40,11,21,31,41\n";
    let expected = ["x", "[10, 20, 30, 40]", "[11.0,21.0,31.0,41.0]"];
    assert_eq!(answers("x.csv", text), [expected]);
    let text = "id,gt_x,gt_y,gt_w,gt_h,pred_x,pred_y,pred_w,pred_h\n1,10,20,20,20,11,21,20,20\n";
    assert_eq!(answers("x.csv", text), [expected]);
}

#[test]
fn wrong_or_right_is_an_error_rate() {
    let (records, _) = through(
        "x.csv",
        "id,question,pred,is_wrong\n1,q,a,True\n2,q,b,False\n",
        None,
    );
    let scores = records
        .iter()
        .map(|(record, _)| (record.metric.as_deref(), record.stored));
    let scores: Vec<_> = scores.collect();
    assert_eq!(
        scores,
        [
            (Some("error_rate"), Some(1.0)),
            (Some("error_rate"), Some(0.0))
        ]
    );
}

#[test]
fn the_answer_of_a_server_may_be_kept_whole() {
    let row = |id: u8, said: &str| {
        format!(
            "{{\"index\": {id}, \"target\": \"a\", \"choices\": [{{\"message\": {{\"role\": \"assistant\", \"content\": \"{said}\"}}}}]}}\n"
        )
    };
    let found = answers("x.jsonl", &[row(0, "a"), row(1, "b")].concat());
    assert_eq!(found, [["x", "a", "a"], ["x", "a", "b"]]);
}

/// Returns the model, condition and response of each record, in reading order.
fn repetitions(name: &str, text: &str) -> Vec<String> {
    let (records, problems) = through(name, text, None);
    assert_eq!(problems, [""; 0], "{name}");
    let words = |(record, _): &(Record, u64)| {
        let condition = record
            .condition
            .iter()
            .map(|(name, value)| format!("{name} {value}"));
        let condition: Vec<String> = condition.collect();
        let response = record.response.clone().unwrap_or_default();
        format!("{} {} {response}", record.model, condition.join(" "))
    };
    records.iter().map(words).collect()
}

#[test]
fn several_answers_of_one_model_are_repetitions() {
    let row = "{\"id\": 1, \"gt\": \"a\", \"responses\": [\"a\", \"b\"]}\n";
    assert_eq!(
        repetitions("x.jsonl", row),
        ["x repeat 1 a", "x repeat 2 b"]
    );
    let text = "id,gt,pred_seed0,pred_seed1\n1,a,a,b\n";
    assert_eq!(repetitions("x.csv", text), ["x seed 0 a", "x seed 1 b"]);
    let text = "id,gt,response_1,response_2\n1,a,a,b\n";
    assert_eq!(repetitions("x.csv", text), ["x repeat 1 a", "x repeat 2 b"]);
}

#[test]
fn members_of_a_document_are_models_or_abilities() {
    let row = |id: u8, pred: &str| format!("{{\"id\": {id}, \"gt\": \"a\", \"pred\": \"{pred}\"}}");
    let text = format!(
        "{{\"m1\": [{}, {}], \"m2\": [{}]}}",
        row(1, "a"),
        row(2, "b"),
        row(1, "b")
    );
    let expected = [["m1", "a", "a"], ["m1", "a", "b"], ["m2", "a", "b"]];
    assert_eq!(answers("x.json", &text), expected);
    let text = format!(
        "{{\"ocr\": [{}], \"colour\": [{}]}}",
        row(1, "a"),
        row(2, "b")
    );
    let (records, _) = through("x.json", &text, None);
    let abilities: Vec<&str> = records.iter().map(|(it, _)| it.ability.as_str()).collect();
    assert_eq!(abilities, ["ocr", "colour"]);
    let by_sample = "{\"m1\": {\"s1\": {\"gt\": \"a\", \"pred\": \"b\"}}, \"m2\": {\"s1\": {\"gt\": \"a\", \"pred\": \"a\"}}}";
    assert_eq!(
        answers("x.json", by_sample),
        [["m1", "a", "b"], ["m2", "a", "a"]]
    );
}

#[test]
fn two_columns_called_alike_are_target_and_response() {
    let text = "img,gt_depth,pred_depth\na.png,1.5,2\n";
    assert_eq!(answers("x.csv", text), [["x", "1.5", "2"]]);
}

#[test]
fn names_of_any_length_are_looked_at_quickly() {
    let long = "strict_match,".repeat(20_000);
    let row = format!("{{\"id\": 1, \"gt\": \"a\", \"pred\": \"b\", \"{long}\": 1}}\n");
    assert_eq!(answers("x.jsonl", &row), [["x", "a", "b"]]);
    let wide: String = (0..5_000)
        .map(|at| format!(", \"gt_x{at}_pred_y{at}\": 1"))
        .collect();
    let row = format!("{{\"id\": 1, \"gt\": \"a\", \"pred\": \"b\"{wide}}}\n");
    assert_eq!(answers("x.jsonl", &row), [["x", "a", "b"]]);
}

/// Returns the metric and score of each scored record, in reading order.
fn scores(name: &str, text: &str) -> Vec<(String, f64)> {
    let (records, _) = through(name, text, None);
    let score = |(record, _): (Record, u64)| Some((record.metric?, record.stored?));
    records.into_iter().filter_map(score).collect()
}

#[test]
fn a_column_called_after_a_metric_is_the_score() {
    let text = "file,ground_truth,ocr_text,pred,cer\na.png,STOP,x,ST0P,0.25\n";
    assert_eq!(scores("x.csv", text), [("cer".to_owned(), 0.25)]);
    let text = "id,question,pred,score\n1,q,a,np.float64(0.5)\n2,q,b,72%\n";
    let found = scores("x.csv", text).into_iter().map(|(_, score)| score);
    assert_eq!(found.collect::<Vec<_>>(), [0.5, 0.72]);
}

#[test]
fn ratings_of_prompts_are_samples() {
    let text = "model,prompt_id,rating,comment\na,0,4,ok\na,1,2,ok\nb,0,3,ok\nb,1,4,ok\n";
    let (records, problems) = through("x.csv", text, None);
    assert_eq!(problems, [""; 0]);
    let found = records
        .iter()
        .map(|(it, _)| (it.model.as_str(), it.sample_id.as_str(), it.stored));
    let found: Vec<_> = found.collect();
    assert_eq!(found[..2], [("a", "0", Some(4.0)), ("a", "1", Some(2.0))]);
}

#[test]
fn a_row_of_averages_is_no_sample() {
    let text = "id,question,gt,pred,score\n1,q,a,a,1\nAverage,,,,0.5\n";
    let (records, problems) = through("x.csv", text, None);
    assert_eq!(records.len(), 1);
    assert_eq!(
        problems,
        ["x.csv:3: `Average` is an aggregate, not a sample"]
    );
}

#[test]
fn boxes_are_scaled_by_the_columns_of_the_picture_s_sides() {
    let row = "{\"id\": 1, \"width\": 640, \"height\": 480, \"gt_box\": [64, 96, 320, 288], \"pred\": \"[100, 200, 500, 600]\"}\n";
    let (records, _) = through("x.jsonl", row, None);
    let tags = &records[0].0.content.tags;
    assert_eq!(tags["image_width"], record::Value::Number(640.0));
    assert_eq!(tags["image_height"], record::Value::Number(480.0));
}

/// Returns the scores and the metric of a table.
fn judged(text: &str) -> (Vec<f64>, String) {
    let (records, problems) = through("x.json", text, None);
    assert_eq!(problems, [""; 0]);
    let metric = records
        .first()
        .and_then(|(record, _)| record.metric.clone());
    let scores = records.iter().map(|(record, _)| {
        let (judgement, _) = scorer::judge_anew(record, record::Scoring::Harness);
        judgement.outcome.score.unwrap()
    });
    (scores.collect(), metric.unwrap_or_default())
}

#[test]
fn the_best_of_several_accepted_answers_counts() {
    let row = |said: &str, accepted: &str| {
        format!(r#"{{"question": "q", "answers": {accepted}, "prediction": "{said}"}}"#)
    };
    let three = r#"["red", "dark red", "crimson"]"#;
    let text = [
        row("crimson", three),
        row("blue", three),
        row("red", r#"["red"]"#),
    ];
    let (scores, _) = judged(&format!("[{}]", text.join(",")));
    assert_eq!(scores, [1.0, 0.0, 1.0]);
    // With ten annotators, three equal answers are enough for the full score.
    let ten = |two: &str| {
        let answers = ["red"; 8]
            .map(str::to_owned)
            .into_iter()
            .chain([two.to_owned(), two.to_owned()]);
        let answers = answers.map(|answer| format!(r#"{{"answer": "{answer}"}}"#));
        format!("[{}]", answers.collect::<Vec<_>>().join(","))
    };
    let text = [row("red", &ten("pink")), row("pink", &ten("pink"))];
    let (scores, metric) = judged(&format!("[{}]", text.join(",")));
    assert_eq!(metric, "vqa_accuracy");
    // Each annotator is left out in turn. Without one of the two `pink`, one `pink` is left;
    // without one of the eight `red`, two are left.
    let expected = [1.0, (2.0 * (1.0 / 3.0) + 8.0 * (2.0 / 3.0)) / 10.0];
    let are_equal = |(one, it): (&f64, f64)| (one - it).abs() < 1e-12;
    assert!(scores.iter().zip(expected).all(are_equal), "{scores:?}");
}

#[test]
fn numbers_among_words_are_right_or_wrong() {
    let row = |target: &str, said: &str| {
        format!(r#"{{"question": "q", "answer": "{target}", "prediction": "{said}"}}"#)
    };
    let rows = [row("yes", "yes"), row("3", "4"), row("red", "red")];
    let (scores, metric) = judged(&format!("[{}]", rows.join(",")));
    assert_eq!(
        (scores.as_slice(), metric.as_str()),
        (&[1.0, 0.0, 1.0][..], "accuracy")
    );
    let rows = [row("3", "4"), row("8", "8")];
    assert_eq!(judged(&format!("[{}]", rows.join(","))).1, "");
}
