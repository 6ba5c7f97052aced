//! Tests of tables whose obvious reading gives a wrong headline.

use super::{guessed, through};
use crate::mapped::unmapped;

fn doubts(name: &str, text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let table = unmapped(&path).unwrap();
    table.doubts(&table.guess).join(" ")
}

#[test]
fn top_one_is_an_accuracy_in_published_tables_and_an_answer_next_to_a_target() {
    let published = guessed("t.csv", "Model,Top-1,Top-5\nA,80.4,95\nB,79.8,94\n");
    assert_eq!(
        (published.response, published.scores),
        (None, vec!["Top-1".into(), "Top-5".into()])
    );
    let rows = "f.png,3,3,0.91\ng.png,5,2,0.87\nh.png,1,1,0.99\ni.png,2,2,0.55\n";
    let classes = guessed("t.csv", &format!("filename,target,top1,top1_prob\n{rows}"));
    assert_eq!(classes.response.as_deref(), Some("top1"));
    assert_eq!(classes.score, None, "a probability is no score");
}

#[test]
fn a_model_that_is_mostly_wrong_is_a_model_too() {
    let rows = "1,cat,cat,cat,dog\n2,dog,dog,cat,cat\n3,bus,bus,bus,cat\n4,cat,dog,cat,dog\n";
    let wide = guessed("t.csv", &format!("id,gt,A-7B,B-7B,Weak-2B\n{rows}"));
    assert_eq!(wide.responses, ["A-7B", "B-7B", "Weak-2B"]);
}

#[test]
fn steps_of_a_training_are_no_samples() {
    let log = "epoch,accuracy,val_accuracy\n0,0.3,0.2\n1,0.5,0.4\n2,0.8,0.6\n";
    assert!(!guessed("log.csv", log).has_answer());
    let doubts = doubts("log.csv", log);
    assert!(
        doubts.contains("Rows are steps of a training (`epoch`)"),
        "{doubts}"
    );
}

#[test]
fn thousands_are_numbers_and_columns_left_out_are_named() {
    let table = "Model,MME,MMMU,POPE\nA,\"1,510.7\",56.8/55.7,85.9\nB,\"2,326\",49/50,88.4\n";
    assert_eq!(guessed("t.csv", table).scores, ["MME", "POPE"]);
    let doubts = doubts("t.csv", table);
    assert!(
        doubts.contains("`MMMU` is left out, because `56.8/55.7` is not a number."),
        "{doubts}"
    );
}

#[test]
fn facts_and_means_are_no_abilities_and_a_confusion_matrix_no_ranking() {
    let table = "Model,MMBench,MMStar,Avg Rank,Avg Score,Runtime,Context length\n\
        A,80,60,1.5,70,99,4096\nB,70,61,1.5,65.5,98,8192\n";
    assert_eq!(guessed("t.csv", table).scores, ["MMBench", "MMStar"]);
    let matrix = guessed("cm.csv", ",cat,dog\ncat,10,2\ndog,1,12\n");
    assert!(!matrix.has_answer());
    let classes = "{\"cat\": {\"precision\": 0.9, \"recall\": 0.8, \"support\": 10}, \
        \"dog\": {\"precision\": 0.7, \"recall\": 0.9, \"support\": 9}, \
        \"macro avg\": {\"precision\": 0.8, \"recall\": 0.85, \"support\": 19}}";
    let report = guessed("resnet.json", classes);
    assert_eq!(
        (report.model.as_deref(), report.ability.as_deref()),
        (None, Some("@key"))
    );
    assert_eq!(report.scores, ["precision", "recall"]);
    let doubts = doubts(
        "t.json",
        "{\"a\": {\"x\": 1.5, \"y\": 2.5}, \"b\": {\"x\": 2.5, \"y\": 3.5}}",
    );
    assert!(
        doubts.contains("The keys of the document are taken to be models."),
        "{doubts}"
    );
}

#[test]
fn samples_of_several_models_are_numbered_by_their_picture_or_case() {
    let pictures = guessed(
        "t.csv",
        "image,model,iou\na.png,A,0.5\nb.png,A,0.6\na.png,B,0.7\nb.png,B,0.9\n",
    );
    assert_eq!(pictures.sample_id.as_deref(), Some("image"));
    let cases = guessed(
        "t.csv",
        "case,model,Dice\n001,U,0.83\n002,U,0.84\n001,V,0.86\n002,V,0.87\n",
    );
    assert_eq!(cases.sample_id.as_deref(), Some("case"));
}

#[test]
fn sets_of_labels_are_no_repeated_answers() {
    let sets = "{\"id\": 1, \"labels\": [\"cat\", \"dog\"], \"preds\": [\"cat\"]}\n\
        {\"id\": 2, \"labels\": [\"cat\", \"dog\"], \"preds\": [\"cat\", \"dog\"]}\n";
    assert!(!guessed("t.jsonl", sets).has_answer());
}

#[test]
fn a_header_in_the_middle_is_no_sample() {
    let twice = "id,model,gt,pred\n1,A,x,x\n2,A,y,x\nid,model,gt,pred\n1,B,x,x\n2,B,y,y\n";
    let (records, problems) = through("t.csv", twice, None);
    assert_eq!(records.len(), 4);
    assert_eq!(problems, ["t.csv:4: the header again"], "{problems:?}");
}

#[test]
fn columns_and_keys_with_names_of_models_are_models() {
    let rows = "1,ocr,1,0,1\n2,ocr,0,0,1\n3,count,1,1,1\n4,count,0,1,0\n";
    let flags = guessed("t.csv", &format!("id,category,gpt-4o,ours,is_hard\n{rows}"));
    assert_eq!(flags.scores, ["gpt-4o", "ours"]);
    let by_benchmark = guessed(
        "t.json",
        "{\"MME\": {\"gpt-4o\": 0.8, \"ours\": 0.75}, \"POPE\": {\"gpt-4o\": 0.9, \"ours\": 0.85}}",
    );
    assert_eq!(by_benchmark.ability.as_deref(), Some("@key"));
    assert_eq!(by_benchmark.score_names.as_deref(), Some("model"));
    let two_names = "qwen,clip,0.5,0.25\nqwen,dino,0.75,0.5\nvicuna,clip,0.5,0.75\n";
    let published = guessed("t.csv", &format!("model,encoder,vqa,ocr\n{two_names}"));
    assert_eq!(
        (published.model.as_deref(), &*published.condition),
        (Some("model"), &["encoder".to_owned()][..])
    );
    assert_eq!(published.scores, ["vqa", "ocr"]);
}

#[test]
fn sets_of_two_labels_are_no_repeated_answers() {
    let rows = (0..4).map(|at| {
        format!("{{\"id\": {at}, \"labels\": [\"a\", \"b\"], \"pred\": [\"a\", \"c{at}\"]}}\n")
    });
    let sets = guessed("t.jsonl", &rows.collect::<String>());
    assert!(!sets.has_answer());
}

#[test]
fn whole_numbers_without_a_question_are_right_or_wrong() {
    let rows = "0,0,0\n1,1,1\n2,2,2\n3,0,1\n";
    let classes = guessed("t.csv", &format!("id,gt,pred\n{rows}"));
    assert_eq!(classes.fixed["metric"], "accuracy");
    for columns in ["id,gt_count,pred_count", "question,gt,pred"] {
        let counts = guessed("t.csv", &format!("{columns}\n{rows}"));
        assert!(!counts.fixed.contains_key("metric"), "{columns}");
    }
}

#[test]
fn verdicts_on_each_model_are_scores_and_none_is_the_truth() {
    let rows = "0,True,True\n1,True,False\n2,True,False\n3,False,False\n";
    let verdicts = guessed("t.csv", &format!("id,gpt-4o,llava\n{rows}"));
    assert_eq!(verdicts.scores, ["gpt-4o", "llava"]);
    let unknown = guessed("t.csv", &format!("id,one,other\n{rows}"));
    assert_eq!(unknown.target, None);
    for (column, cell) in [("correct", "T"), ("correct?", "✓")] {
        let table = format!("id,gt,pred,{column}\n1,cat,a kitty,{cell}\n");
        assert_eq!(guessed("t.csv", &table).score.as_deref(), Some(column));
    }
}

#[test]
fn a_model_with_one_answer_is_a_model_and_a_probability_no_score() {
    let rows = "1,yes,yes,yes\n2,no,no,yes\n3,yes,no,yes\n4,no,no,yes\n";
    let wide = guessed("t.csv", &format!("id,gt,first,constant\n{rows}"));
    assert_eq!(wide.responses, ["first", "constant"]);
    let rows = "0,0,.1\n1,1,.9\n2,0,.2\n3,1,.8\n";
    assert!(!guessed("t.csv", &format!("id,label,score\n{rows}")).has_answer());
}

#[test]
fn options_are_numbered_or_labelled() {
    let rows = "0,cat,dog,bird,1,cat\n1,cat,dog,bird,3,bird\n";
    for names in [["option_1", "option_2", "option_3"], ["a", "b", "c"]] {
        let table = format!("id,{},answer,prediction\n{rows}", names.join(","));
        assert_eq!(guessed("t.csv", &table).choices, names);
    }
    let row = "{\"id\": 0, \"choices\": {\"text\": [\"cat\", \"dog\"], \"label\": [\"A\", \"B\"]}, \
               \"answerKey\": \"A\", \"prediction\": \"A\"}";
    let labelled = guessed("t.jsonl", &format!("{row}\n{row}\n"));
    assert_eq!(labelled.target.as_deref(), Some("answerKey"));
    assert_eq!(labelled.choices, ["choices.text"]);
}

#[test]
fn facts_that_begin_with_their_name_are_not_ranked() {
    let table = "model,params_B,latency_ms,MMMU\na,7,100,45\nb,13,200,50\n";
    let published = guessed("t.csv", table);
    assert_eq!(published.scores, ["MMMU"]);
}

#[test]
fn lists_of_numbers_that_are_neither_boxes_nor_colours_are_refused() {
    let row = "{\"id\": 1, \"label\": [1, 0, 1], \"pred\": [1, 0, 1]}\n";
    let (records, problems) = through("t.jsonl", row, None);
    assert!(records.is_empty());
    let what = "a list of 3 numbers is neither a box nor a colour";
    assert!(problems[0].contains(what), "{problems:?}");
}

#[test]
fn a_classification_report_ranks_no_class_as_a_model() {
    let rows = "cat,.95,.9,.92,80\ndog,.4,.6,.5,20\naccuracy,.9,.9,.9,.9\nmacro avg,.7,.7,.7,100\n";
    for name in ["class", ""] {
        let report = guessed(
            "t.csv",
            &format!("{name},precision,recall,f1-score,support\n{rows}"),
        );
        assert_eq!(
            (report.model, report.ability.as_deref()),
            (None, Some(name))
        );
        assert_eq!(report.scores, ["precision", "recall", "f1-score"]);
    }
}

#[test]
fn corners_in_columns_are_one_box_and_lists_written_as_texts_no_answer() {
    let corners =
        "id,xmin,ymin,xmax,ymax,pred_xmin,pred_ymin,pred_xmax,pred_ymax\n1,1,2,3,4,1,2,3,5\n";
    let map = guessed("t.csv", corners);
    assert!(map.response.is_some() && map.responses.is_empty());
    let sets = "id,gt_labels,pred_labels\n0,\"['a','b']\",\"['b','a']\"\n1,['a'],['b']\n";
    assert!(!guessed("t.csv", sets).has_answer());
}

#[test]
fn files_are_models_in_folders_of_splits_and_data_sets() {
    for (folders, name, field, model) in [
        (["train", "test"], "vit.csv", "split", "@file"),
        (["gqa", "pope"], "llava.csv", "ability", "@file"),
        (["llava", "qwen"], "gqa.csv", "model", "@folder"),
    ] {
        let base = tempfile::tempdir().unwrap();
        for folder in folders {
            let folder = base.path().join(folder);
            std::fs::create_dir(&folder).unwrap();
            std::fs::write(folder.join(name), "id,gt,pred\n1,yes,yes\n2,no,yes\n").unwrap();
        }
        let guess = unmapped(&base.path().join(folders[0]).join(name))
            .unwrap()
            .guess;
        assert_eq!(guess.model.as_deref(), Some(model), "{name}");
        assert_eq!(guess.column(field), Some("@folder"), "{name}");
    }
}

#[test]
fn letters_without_columns_of_options_are_options() {
    let rows = "1,A,A. cat\n2,(B),the answer is (B)\n3,C,D\n4,A,(A) dog\n";
    let table = format!("id,answer,prediction\n{rows}");
    assert_eq!(guessed("t.csv", &table).letters.as_deref(), Some("ABCD"));
    let doubts = doubts("t.csv", &table);
    assert!(
        doubts.contains("the options are taken to be A, B, C, D."),
        "{doubts}"
    );
    let (records, problems) = through("t.csv", &table, None);
    assert_eq!(problems, [""; 0]);
    let scores = records
        .iter()
        .map(|(record, _)| scorer::judge(record).harness.outcome.score);
    assert_eq!(scores.collect::<Vec<_>>(), [1.0, 1.0, 0.0, 1.0].map(Some));
    for rows in ["1,A dog,a dog\n2,B,b\n", "1,cat,cat\n2,A,A\n"] {
        let table = format!("id,answer,prediction\n{rows}");
        assert_eq!(guessed("t.csv", &table).letters, None, "{rows}");
    }
}

/// `InternVL` stores the response as `answer`.
#[test]
fn the_answer_next_to_an_annotation_is_the_response() {
    let rows = r#"[{"question": "Which?", "question_id": 1, "answer": "cat", "annotation": "dog"},
        {"question": "Which?", "question_id": 2, "answer": "dog", "annotation": "dog"}]"#;
    let map = guessed("gqa.json", rows);
    assert_eq!(map.response.as_deref(), Some("answer"));
    assert_eq!(map.target.as_deref(), Some("annotation"));
}

#[test]
fn options_are_read_from_one_text_in_every_usual_form() {
    for options in [
        "cat|dog|bird",
        "cat; dog; bird",
        "A. cat\\nB. dog\\nC. bird",
        "(A) cat (B) dog (C) bird",
        "A: cat, B: dog, C: bird",
        "[\\\"cat\\\", \\\"dog\\\", \\\"bird\\\"]",
    ] {
        let row = |id: u32, gold: &str, said: &str| {
            format!(
                "{{\"id\": {id}, \"question\": \"Which?\", \"options\": \"{options}\", \
                 \"answer\": \"{gold}\", \"prediction\": \"{said}\"}}\n"
            )
        };
        let rows = [
            row(1, "B", "dog"),
            row(2, "A", "cat"),
            row(3, "C", "(A)"),
            row(4, "B", "B"),
        ];
        let found = through("t.jsonl", &rows.concat(), None).0;
        let scores = found
            .iter()
            .map(|(record, _)| scorer::judge(record).harness.outcome.score);
        let scores: Vec<Option<f64>> = scores.collect();
        assert_eq!(scores, [1.0, 1.0, 0.0, 1.0].map(Some), "{options}");
    }
}

#[test]
fn accepted_answers_in_one_text_are_separated_if_answers_are_among_them() {
    let rows = "1,cat|kitten,kitten\n2,dog|hound,dog\n3,bus,bus\n4,car|auto,van\n";
    let text = format!("id,answer,prediction\n{rows}");
    assert_eq!(guessed("t.csv", &text).alternatives.as_deref(), Some("|"));
    let found = through("t.csv", &text, None).0;
    let scores = found
        .iter()
        .map(|(record, _)| scorer::judge(record).harness.outcome.score);
    assert_eq!(scores.collect::<Vec<_>>(), [1.0, 1.0, 1.0, 0.0].map(Some));
    // Nobody answered with a part.
    let rows = "1,a|b,a|b\n2,c|d,c|d\n3,e|f,e|f\n";
    let map = guessed("t.csv", &format!("id,answer,prediction\n{rows}"));
    assert_eq!(map.alternatives, None);
}

#[test]
fn an_error_message_is_no_answer() {
    let rows = "1,cat,cat\n2,dog,dog\n3,bus,ERROR: timeout\n4,car,car\n";
    let found = through("t.csv", &format!("id,answer,prediction\n{rows}"), None).0;
    let [.., failed, _] = found.as_slice() else {
        panic!("{:?}", found);
    };
    assert_eq!(failed.0.response.as_deref(), Some(""));
    assert_eq!(failed.0.content.tags["error"].to_string(), "ERROR: timeout");
}

/// A checkpoint is ranked by itself, not averaged with the others.
#[test]
fn steps_of_repeated_samples_are_runs() {
    let row = |step: u32, id: u32| format!("{step},{id},cat,cat\n");
    let rows = [1000, 2000].map(|step| (0..8).map(|id| row(step, id)).collect::<String>());
    let found = through(
        "t.csv",
        &format!("step,id,answer,prediction\n{}", rows.concat()),
        None,
    )
    .0;
    let runs = found
        .iter()
        .map(|(record, _)| record.condition["run"].to_string());
    let runs: std::collections::BTreeSet<String> = runs.collect();
    assert_eq!(
        runs.into_iter().collect::<Vec<_>>(),
        ["step 1000", "step 2000"]
    );
}

/// The row below a table is neither a sample nor a loss; ids that resemble metrics are ids.
#[test]
fn the_accuracy_below_a_table_is_no_sample() {
    let rows = "1,Which?,cat,cat\n2,Which?,dog,cow\nAccuracy,,,0.5\n";
    let text = format!("id,question,answer,prediction\n{rows}");
    let (records, problems) = through("t.csv", &text, None);
    assert_eq!(records.len(), 2);
    assert_eq!(
        problems,
        ["t.csv:4: `Accuracy` is an aggregate, not a sample"]
    );
    let (records, problems) = through("t.csv", "id,score\nmap_1,0.5\nmap_2,0.7\n", None);
    assert_eq!((records.len(), problems), (2, vec![]));
}

#[test]
fn a_title_is_no_header_and_commas_in_cells_are_no_delimiters() {
    let rows = "1,Which?,cat,cat\n2,Which?,dog,cow\n3,Which?,bus,bus\n";
    for title in ["Results\n\n", "Results of VQA, run 3\n", "Results,,,\n"] {
        let text = format!("{title}id,question,answer,prediction\n{rows}");
        for text in [text.clone(), text.replace(',', ";")] {
            let (records, problems) = through("t.csv", &text, None);
            assert_eq!((records.len(), problems), (3, vec![]), "{text}");
        }
    }
    let rows = "1;\"Is it a, b, c, d or e?\";cat;cat\n2;\"Is it a, b, c, d or f?\";dog;cow\n";
    let (records, problems) = through(
        "t.csv",
        &format!("id;question;answer;prediction\n{rows}"),
        None,
    );
    assert_eq!((records.len(), problems), (2, vec![]));
    assert_eq!(records[0].0.content.question, "Is it a, b, c, d or e?");
}
