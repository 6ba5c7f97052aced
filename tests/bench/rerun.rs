//! Benchmarks the cost of requests. The baselines are a bare client in C and a bare loop of the
//! same HTTP client, which send the same bytes.
//!
//! `cargo bench --bench rerun` starts a server that answers at once or after 200 ms, and sends
//! requests with several levels of concurrency. For each program it prints requests per second, CPU
//! time per request and peak memory, each as median over some rounds. For Eyechart it also prints
//! the throughput relative to the C client. Each part is a separate process. The run is written to
//! `TMPDIR`. Only `cargo bench` measures; if started otherwise, the program ends at once.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _, stdout};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use eyechart::ask::client::{Endpoint, Setup};
use eyechart::ask::{
    Asking, Control, Failures, Head, Journal, Plan, Protocol, Run, Sample, blocking,
};
use eyechart::media::Source;
use eyechart::record::{Content, Record};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// Number of questions per round.
const QUESTIONS: usize = 3_000;
/// Parallel requests, and the server's delay in milliseconds.
const WIDTHS: [(usize, u64); 4] = [(4, 0), (64, 0), (256, 0), (1_000, 200)];
/// Length of the server's accept queue, enough for all connections at once. Otherwise a refused
/// client would wait a second, which is no cost of the client.
const WAITING: u32 = 4_096;
/// Number of rounds.
const ROUNDS: usize = 3;
/// Side of a picture of noise. The picture does not compress and has about 118 kB as PNG.
const SIDE: u32 = 198;
/// The server's response.
const ANSWER: &str = concat!(
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A\"},\"finish_reason\":null}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[],\"usage\":{\"prompt_tokens\":90,\"completion_tokens\":1}}\n\n",
    "data: [DONE]\n\n"
);

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        [_, "serve", delay] => blocking(serve(delay.parse()?))?,
        [_, "ours", port, width, folder] => ours(port, width.parse()?, Path::new(folder)),
        [_, "bare", port, width] => blocking(bare(port, width.parse()?))?,
        _ if words.contains(&"--bench") => contest(),
        _ => Ok(()),
    }
}

fn contest() -> Result<()> {
    let mut out = stdout().lock();
    writeln!(
        out,
        "{QUESTIONS} questions with a picture of 118 kB each; requests a second, CPU ms a request, peak memory in kB"
    )?;
    // Removed only at the end, because file systems such as ext4 are slow to reuse freed names.
    let folders = tempfile::tempdir()?;
    let bare = folders.path().join("client");
    let built = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&bare)
        .arg("tests/bench/client.c")
        .status()?;
    ensure!(built.success(), "the client in C cannot be built");
    for (width, delay) in WIDTHS {
        let (_server, port) = started(delay)?;
        let mut told: [Vec<[f64; 3]>; 3] = Default::default();
        for round in 0..ROUNDS {
            let folder = folders.path().join(format!("{width}-{round}"));
            fs::create_dir(&folder)?;
            let count = width.to_string();
            let mut ours = itself(["ours", &port, &count]);
            ours.arg(&folder);
            let mut in_c = Command::new(&bare);
            in_c.args([&port, &count, &QUESTIONS.to_string()]);
            for (told, command) in
                told.iter_mut()
                    .zip([ours, itself(["bare", &port, &count]), in_c])
            {
                told.push(measured(command)?);
            }
        }
        let names = ["ours", "the same HTTP client", "bare in C"];
        let medians = told.map(|rounds| [0, 1, 2].map(|at| median(&rounds, at)));
        for (name, [rate, cpu, peak]) in names.iter().zip(medians) {
            writeln!(
                out,
                "{width:>4} at once, {delay:>3} ms: {rate:>6.0} {cpu:>6.3} {peak:>8.0}  {name}"
            )?;
        }
        let [[ours, ..], _, [bare, ..]] = medians;
        writeln!(
            out,
            "{width:>4} at once, {delay:>3} ms: ours is {:.2} of bare in C",
            ours / bare
        )?;
    }
    Ok(())
}

/// Runs a part and parses its output.
fn measured(mut command: Command) -> Result<[f64; 3]> {
    let done = command.output()?;
    ensure!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let told = String::from_utf8_lossy(&done.stdout).into_owned();
    let numbers = told.split_whitespace().map(str::parse::<f64>);
    let numbers: Vec<f64> = numbers.take(3).collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| anyhow!("{told}"))
}

fn median(rounds: &[[f64; 3]], at: usize) -> f64 {
    let mut all: Vec<f64> = rounds.iter().map(|round| round[at]).collect();
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// The server process. It is killed when this is dropped.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn itself<const N: usize>(arguments: [&str; N]) -> Command {
    let program = env::current_exe().unwrap_or_else(|_| "rerun".into());
    let mut command = Command::new(program);
    command.args(arguments);
    command
}

/// Starts a server process with a delay in milliseconds; returns it with its port.
fn started(delay: u64) -> Result<(Server, String)> {
    let mut server = itself(["serve", &delay.to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut port = String::new();
    BufReader::new(server.stdout.take().context("its output")?).read_line(&mut port)?;
    Ok((Server(server), port.trim().to_owned()))
}

/// Sends the same response to every request. Stores the first request.
async fn serve(delay: u64) -> Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.bind("127.0.0.1:0".parse()?)?;
    let listener = socket.listen(WAITING)?;
    writeln!(stdout(), "{}", listener.local_addr()?.port())?;
    let first = Arc::new(OnceLock::new());
    loop {
        let (line, _) = listener.accept().await?;
        tokio::spawn(answer(
            line,
            Arc::clone(&first),
            Duration::from_millis(delay),
        ));
    }
}

/// Answers the requests of a connection until it closes.
async fn answer(mut line: TcpStream, first: Arc<OnceLock<Vec<u8>>>, delay: Duration) -> Result<()> {
    line.set_nodelay(true)?;
    let (mut text, mut piece) = (Vec::new(), vec![0; 256 << 10]);
    loop {
        text.clear();
        let (head, length) = loop {
            if let Some(found) = request(&text) {
                break found;
            }
            let count = line.read(&mut piece).await?;
            if count == 0 {
                return Ok(());
            }
            text.extend_from_slice(&piece[..count]);
        };
        let keeps = first.get().is_none();
        let mut left = (head + length).saturating_sub(text.len());
        while left > 0 {
            let count = line.read(&mut piece).await?;
            ensure!(count > 0, "half a request");
            left = left.saturating_sub(count);
            if keeps {
                text.extend_from_slice(&piece[..count]);
            }
        }
        let asks = text.starts_with(b"POST");
        if asks && keeps {
            drop(first.set(text[head..].to_vec()));
        }
        if asks && !delay.is_zero() {
            tokio::time::sleep(delay).await;
        }
        let body = match first.get() {
            Some(first) if !asks => first.as_slice(),
            _ => ANSWER.as_bytes(),
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        line.write_all(&[head.as_bytes(), body].concat()).await?;
    }
}

/// Length of a request's head and of its body; `None` until the head is complete.
fn request(text: &[u8]) -> Option<(usize, usize)> {
    let end = memchr::memmem::find(text, b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&text[..end]).to_lowercase();
    let length = head
        .split("content-length:")
        .nth(1)
        .map_or(Some(0), |rest| rest.lines().next()?.trim().parse().ok());
    Some((end, length?))
}

/// Measures the whole program: opens pictures, builds requests, parses and scores responses, writes
/// the journal, prints.
fn ours(port: &str, width: usize, folder: &Path) -> Result<()> {
    let samples: Result<Vec<Sample>> = (0..QUESTIONS).map(|at| sample(folder, at)).collect();
    let asking = Asking {
        model: "m".to_owned(),
        label: "m".to_owned(),
        ..Asking::default()
    };
    let plan = Arc::new(Plan::new(samples?, Protocol::Vanilla, asking));
    let endpoint = Endpoint::new(Setup {
        address: format!("http://127.0.0.1:{port}/v1"),
        at_once: Some(width),
        ..Setup::default()
    })?;
    // In practice, the pictures of a log are on disk long before a rerun.
    eyechart::base::platform::file::sync_file_system(folder)?;
    let head = Head::new(&plan, &endpoint.address());
    let journal = Journal::create(&folder.join("out"), head)?;
    let run = Run::new(
        Arc::clone(&plan),
        Arc::new(endpoint),
        journal,
        Failures::Keep,
    );
    let began = (Instant::now(), cpu()?);
    let ended = blocking(Arc::new(run).execute(Control::default(), Arc::new(|_| {})))?;
    told(began)?;
    ensure!(ended.finished.len() == QUESTIONS, "{:?}", ended.stopped);
    Ok(())
}

/// A question about a unique noise picture.
fn sample(folder: &Path, at: usize) -> Result<Sample> {
    let mut state = at as u64 + 1;
    let noise = image::RgbImage::from_fn(SIDE, SIDE, |_, _| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let [.., red, green, blue] = state.to_le_bytes();
        image::Rgb([red, green, blue])
    });
    let name = format!("{at}.png");
    noise.save(folder.join(&name))?;
    let question = format!("Which letter comes first, {at}? Answer with one letter.");
    Ok(Sample {
        record: Record {
            sample_id: at.to_string(),
            benchmark: "bench".to_owned(),
            content: Content {
                question,
                ..Content::default()
            },
            ..Record::default()
        },
        pictures: vec![Source::Path {
            reference: name,
            roots: vec![folder.to_path_buf()],
        }],
        format: "eyechart".to_owned(),
        before: None,
        turned: BTreeMap::default(),
    })
}

/// The same HTTP client sends the last request repeatedly and discards the responses.
async fn bare(port: &str, width: usize) -> Result<()> {
    let base = format!("http://127.0.0.1:{port}");
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build()?;
    let body = client
        .get(format!("{base}/last"))
        .send()
        .await?
        .bytes()
        .await?;
    ensure!(!body.is_empty(), "nothing was asked yet");
    let began = (Instant::now(), cpu()?);
    let gate = Arc::new(tokio::sync::Semaphore::new(width));
    let mut open = tokio::task::JoinSet::new();
    for _ in 0..QUESTIONS {
        let place = Arc::clone(&gate).acquire_owned().await?;
        let request = client
            .post(format!("{base}/v1/chat/completions"))
            .header("content-type", "application/json")
            .body(body.clone());
        open.spawn(async move {
            let _place = place;
            request.send().await?.bytes().await
        });
    }
    while let Some(done) = open.join_next().await {
        done??;
    }
    told(began)
}

/// CPU milliseconds of this process so far, as counted by Linux.
fn cpu() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let (_, rest) = text.rsplit_once(')').context("its name")?;
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: Result<Vec<f64>, _> = ticks.map(str::parse).collect();
    // Linux counts a hundred ticks per second.
    Ok(ticks?.iter().sum::<f64>() * 10.0)
}

fn told((start, before): (Instant, f64)) -> Result<()> {
    #[expect(clippy::cast_precision_loss, reason = "thousands")]
    let count = QUESTIONS as f64;
    let (took, used) = (start.elapsed().as_secs_f64(), cpu()? - before);
    let status = fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    writeln!(
        stdout(),
        "{:>6.0} {:>6.3} {:>10}",
        count / took,
        used / count,
        peak.unwrap_or("unknown").trim()
    )?;
    Ok(())
}
