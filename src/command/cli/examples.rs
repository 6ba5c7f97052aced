//! Examples below the help of each command. A test runs the examples of the subcommands in the
//! project's folder.

/// Defines constants that join example command lines into the text below a help page.
macro_rules! examples {
    ($($name:ident $($command:literal)+;)*) => {
        $(#[cfg_attr(not(feature = "exam"), allow(dead_code))]
        pub const $name: &str = concat!("Examples:", $("\n  ", $command),+);)*
    };
}

examples! {
    UI
        "eyechart"
        "eyechart FOLDER"
        "eyechart FOLDER --filter 'ability:counting correct:false'"
        "eyechart help";
    REPORT
        "eyechart report sample_runs"
        "eyechart report sample_runs/exam --by box_area --out exam.html"
        "eyechart report sample_runs/exam --compare hog gabor --out two.html"
        "eyechart report sample_runs --filter model:hog --format json";
    COMPARE
        "eyechart compare hog gabor sample_runs/exam"
        "eyechart compare hog gabor sample_runs/exam --by box_area --out sizes.html"
        "eyechart compare rotation:0 rotation:90 sample_runs/exam-topdown";
    GATE
        "eyechart gate pixels hog sample_runs/exam --worse-by 5pp \\\n      --filter ability:texture"
        "eyechart gate pixels hog sample_runs/exam --worse-by 5pp --by ability \\\n      --filter 'ability:texture or ability:ocr' --format github";
    SAMPLES
        "eyechart samples sample_runs/exam --filter correct:false --limit 10"
        "eyechart samples sample_runs/exam --filter 'right:hog wrong:gabor'"
        "eyechart samples sample_runs/exam --filter invalid:true --out unread.csv"
        "eyechart samples sample_runs/exam --like color-0008 \\\n      --filter ability:color --limit 9"
        "eyechart samples sample_runs/exam --format arrow --out samples.arrows";
    SHOW
        "eyechart show sample_runs/exam --sample absolute_depth-0005"
        "eyechart show sample_runs/exam --sample absolute_depth-0005 --model hog";
    VERDICTS
        "eyechart verdicts sample_runs/exam"
        "eyechart verdicts sample_runs/exam --spot-check 20";
    CHECK
        "eyechart check sample_runs"
        "eyechart check sample_runs/exam --strict --format json";
    CONVERT
        "eyechart convert sample_runs/exam --out exam.parquet"
        "eyechart convert sample_runs/exam --filter ability:ocr --out ocr.csv"
        "eyechart convert sample_runs/exam --to eee --out exam-eee"
        "eyechart convert sample_runs/exam --to inspect --out exam-logs";
    PUBLISH
        "eyechart publish sample_runs/exam --to published"
        "eyechart publish sample_runs/exam --to published --pictures";
    RANKS
        "eyechart ranks sample_runs/ava_bench.scores.csv"
        "eyechart ranks sample_runs/exam --filter ability:texture --format json";
    MATRIX
        "eyechart matrix sample_runs --over benchmarks"
        "eyechart matrix sample_runs/tdbench.scores.csv --over metrics"
        "eyechart matrix sample_runs/tdbench.scores.csv --format csv";
    WINS
        "eyechart wins sample_runs/exam --filter ability:ocr"
        "eyechart wins sample_runs/exam --filter ability:texture --out wins.html";
    ITEMS
        "eyechart items sample_runs/exam --limit 10"
        "eyechart items sample_runs/exam-gepbench --by shapes --limit 1"
        "eyechart items sample_runs/exam --sort difficulty --limit 10 --format csv";
    HEALTH
        "eyechart health sample_runs/exam"
        "eyechart health sample_runs/exam --long --pictures off"
        "eyechart health sample_runs/exam --faults faults.jsonl"
        "eyechart health sample_runs/exam --out health.html";
    FAILURES
        "eyechart failures sample_runs/exam --filter 'model:hog ability:counting'"
        "eyechart failures sample_runs/exam --filter model:hog \\\n      --groups 4 --out map.csv";
    TREND
        "eyechart trend sample_runs/tdbench.scores.csv"
        "eyechart trend sample_runs/tdbench.scores.csv --against released"
        "eyechart trend sample_runs/tdbench.scores.csv --metric theta,r,g,a_adj"
        "eyechart trend sample_runs --against gepbench --out scores.html";
    SPREAD
        "eyechart spread sample_runs/exam-topdown --by rotation"
        "eyechart spread sample_runs/gepbench.scores.csv --by split"
        "eyechart spread sample_runs/tdbench.scores.csv --name '(InternVL3)-(.+)'";
    CHECKPOINTS
        "eyechart checkpoints sample_runs"
        "eyechart checkpoints sample_runs/exam --filter ability:texture --format csv";
    MODELS
        "eyechart models sample_runs"
        "eyechart models sample_runs --format csv";
    DOCTOR
        "eyechart doctor"
        "eyechart doctor --format json";
    COMPLETIONS
        "eyechart completions bash > eyechart.bash"
        "eyechart completions fish > eyechart.fish";
    MAN
        "eyechart man > eyechart.1"
        "eyechart man --out man1";
    JOIN
        "eyechart join one two --out whole"
        "eyechart join turned --out copied";
    MCP
        "eyechart mcp sample_runs"
        "eyechart mcp sample_runs/exam --allow-verdicts";
    CACHE
        "eyechart cache"
        "eyechart cache --format json";
    HELP
        "eyechart help"
        "eyechart help filters"
        "eyechart help report";
    SLICES
        "eyechart slices sample_runs/exam --model hog"
        "eyechart slices sample_runs/exam --compare hog gabor"
        "eyechart slices sample_runs/exam --outcome unreadable";
    SCORERS
        "eyechart scorers sample_runs/exam"
        "eyechart scorers sample_runs/exam --filter ability:ocr --examples 3";
    AGREE
        "eyechart agree sample_runs/exam-topdown --between rotation:0 rotation:90"
        "eyechart agree sample_runs/exam --subset --filter ability:texture";
    GENERATE
        "eyechart generate exam --out items --count 28 --seed 7"
        "eyechart generate gepbench --out figures --count 24 --sheets"
        "eyechart generate scenes --out rooms --count 6 --size 256";
    RERUN
        "eyechart rerun sample_runs/exam --filter ability:texture --limit 4 \\\n      --endpoint builtin:hog --endpoint builtin:gabor \\\n      --protocol blind --out two"
        "eyechart rerun sample_runs/exam --filter ability:texture --limit 4 \\\n      --endpoint builtin:hog --protocol rotational --out turned"
        "eyechart rerun sample_runs/exam --filter ability:texture --limit 4 \\\n      --endpoint builtin:hog --out hidden \\\n      --protocol file:tests/fixtures/variants/hidden.toml"
        "eyechart rerun sample_runs/exam --filter correct:false --limit 100 \\\n      --endpoint http://127.0.0.1:8000/v1 --model qwen2-vl \\\n      --protocol blind --out blind --dry-run"
        "eyechart rerun sample_runs/exam --filter ability:texture --limit 20 \\\n      --endpoint builtin:hog --protocol vanilla --shard 1/2 --out one"
        "eyechart rerun sample_runs/exam --filter ability:texture --limit 20 \\\n      --endpoint builtin:hog --protocol vanilla --shard 2/2 --out two";
    EXAM
        "eyechart exam --endpoint builtin:color --ability color --count 12 --out exam"
        "eyechart exam --endpoint builtin:gabor --ability texture --count 20 \\\n      --adaptive --out adaptive"
        "eyechart exam --endpoint http://127.0.0.1:8000/v1 --model qwen2-vl \\\n      --out fresh --dry-run";
    JUDGE
        "eyechart judge sample_runs/exam --filter ability:ocr --limit 20 \\\n      --endpoint http://127.0.0.1:8000/v1 --model qwen3 --out judged --dry-run"
        "eyechart judge sample_runs/exam --filter 'ability:ocr correct:false' \\\n      --endpoint http://127.0.0.1:8000/v1 --model qwen3 --out wrong --dry-run";
}
