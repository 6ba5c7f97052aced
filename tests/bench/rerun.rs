//! What asking costs us, beside a bare client in C and a bare loop of the same HTTP client, which send the same bytes in
//! the same run.
//!
//! `cargo bench --bench rerun` starts a server that answers at once, or after 200 ms, asks it under several widths, and
//! prints for each program requests a second, CPU time of a request and peak memory, each the median of some rounds; of
//! ours, the share of the C client's requests. Each part is a process of its own, so that none pays for another.
//! `TMPDIR` says where the run is written. Only `cargo bench` measures: anything else that starts this program ends at
//! once.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _, stdout};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, ensure};
use eyechart::client::{Endpoint, Setup};
use eyechart::media::Source;
use eyechart::record::{Content, Record};
use eyechart::rerun::{
    Asking, Control, Head, Journal, Plan, Protocol, Run, Sample, Spending, blocking,
};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

/// Questions of a round.
const QUESTIONS: usize = 3_000;
/// Requests on their way at once, and milliseconds until the server answers.
const WIDTHS: [(usize, u64); 4] = [(4, 0), (64, 0), (256, 0), (1_000, 200)];
/// Connections that may wait to be taken, enough for all at once: who finds no room tries again after a second, which is no
/// cost of a client.
const WAITING: u32 = 4_096;
/// How often each is asked.
const ROUNDS: usize = 3;
/// Side of a picture of noise, which no compression makes smaller: about 118 kB as PNG.
const SIDE: u32 = 198;
/// What the server answers.
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
    // All are removed at the end: to file systems such as ext4, names that were freed a moment ago are slow to give again.
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

/// What a part prints of itself.
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

/// Ends with the contest.
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

/// A server in a process of its own that answers after so many milliseconds, and its port.
fn started(delay: u64) -> Result<(Server, String)> {
    let mut server = itself(["serve", &delay.to_string()])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut port = String::new();
    BufReader::new(server.stdout.take().context("its output")?).read_line(&mut port)?;
    Ok((Server(server), port.trim().to_owned()))
}

/// Answers every question alike, and tells the first one that it was asked.
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

/// Answers what comes on a connection until it is closed.
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

/// Length of a request's head, and of its body, once the head is there.
fn request(text: &[u8]) -> Option<(usize, usize)> {
    let end = memchr::memmem::find(text, b"\r\n\r\n")? + 4;
    let head = String::from_utf8_lossy(&text[..end]).to_lowercase();
    let length = head
        .split("content-length:")
        .nth(1)
        .map_or(Some(0), |rest| rest.lines().next()?.trim().parse().ok());
    Some((end, length?))
}

/// The whole way: pictures are opened, requests spelled, answers read, judged, journalled and told.
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
    let head = Head::new(&plan, &endpoint.address());
    let journal = Journal::open(&folder.join("out"), head, false)?;
    let run = Run::new(
        Arc::clone(&plan),
        Arc::new(endpoint),
        journal,
        false,
        Spending::default(),
    );
    let began = (Instant::now(), cpu()?);
    let ended = blocking(run.go(Control::default(), Arc::new(|_| {})))?;
    told(began)?;
    ensure!(ended.finished.len() == QUESTIONS, "{:?}", ended.stopped);
    Ok(())
}

/// A question about a picture of noise that no other question has.
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

/// The same client sends the last question again and again, and passes over what comes back.
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

/// CPU milliseconds of this process so far, as Linux counts them.
fn cpu() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let (_, rest) = text.rsplit_once(')').context("its name")?;
    let ticks = rest.split_whitespace().skip(11).take(2);
    let ticks: Result<Vec<f64>, _> = ticks.map(str::parse).collect();
    // A hundred ticks a second, on every Linux of the day.
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
