//! Tests samples that hold a scarce resource from their first question to their end.

use tokio::sync::{OnceCell, OwnedSemaphorePermit};

use super::*;

/// More samples than run at the same time.
const SEVERAL: usize = 12;
const MANY: usize = 30;

/// A chain that alternates between samples asked sequentially and samples asked at once.
#[derive(Debug)]
struct Mixed {
    room: Arc<Semaphore>,
}

struct Holder {
    sample: Arc<Sample>,
    room: Arc<Semaphore>,
    held: Arc<OnceCell<OwnedSemaphorePermit>>,
    asks_at_once: bool,
    asked: usize,
    said: Vec<JudgedAnswer>,
}

impl Chain for Mixed {
    fn bound(&self, _sample: &Sample) -> RequestRange {
        RequestRange::exactly(SEVERAL)
    }

    fn begin(&self, sample: &Arc<Sample>, _asking: &Arc<Asking>) -> Box<dyn Fold> {
        let number = sample.record.sample_id.trim_start_matches('s');
        Box::new(Holder {
            sample: Arc::clone(sample),
            room: Arc::clone(&self.room),
            held: Arc::default(),
            asks_at_once: number.parse::<usize>().unwrap() % 2 == 1,
            asked: 0,
            said: Vec::new(),
        })
    }
}

impl Holder {
    fn ask(&mut self) -> Ask {
        let text = format!("part {} of {}", self.asked, self.sample.record.sample_id);
        let question = Question {
            request: Request {
                model: "m".to_owned(),
                system: None,
                turns: vec![Turn::user(vec![Part::Text(text.clone())])],
                sampling: crate::client::Sampling::default(),
                schema: None,
            },
            record: self.sample.record.clone(),
            version: "mixed-1".to_owned(),
            repeat: 0,
            made: Vec::new(),
            before: None,
            part: None,
            keys: None,
        };
        self.asked += 1;
        let (room, held) = (Arc::clone(&self.room), Arc::clone(&self.held));
        Ask::new(AskPath::Part(text), move || Ok(question)).after(async move {
            let take = || async { room.acquire_owned().await.unwrap() };
            held.get_or_init(take).await;
        })
    }
}

impl Fold for Holder {
    fn ready(&mut self) -> Vec<Ask> {
        let most = if self.asks_at_once {
            SEVERAL
        } else {
            SEVERAL.min(self.said.len() + 1)
        };
        (self.asked..most).map(|_| self.ask()).collect()
    }

    fn receive(&mut self, _path: &AskPath, said: Option<&JudgedAnswer>) {
        self.said.extend(said.cloned());
    }

    fn end(self: Box<Self>) -> Option<Outcome> {
        let last = self.said.last()?;
        Some(Outcome {
            step: 0,
            record: self.sample.record.clone(),
            judged: last.judged.clone(),
            pictures: Vec::new(),
            unread: BTreeMap::new(),
        })
    }
}

#[test]
fn those_that_wait_let_those_come_to_their_end_that_hold_it() {
    for room in 1..4 {
        let folder = tempfile::tempdir().unwrap();
        let room = Arc::new(Semaphore::new(room));
        let plan = plan_of(MANY, Arc::new(Mixed { room }));
        let ended = run(
            folder.path(),
            &plan,
            &fake(Second::Answered),
            Failures::Keep,
        )
        .unwrap();
        assert_eq!(ended.finished.len(), MANY);
        assert_eq!(lines(folder.path(), "done").len(), MANY * SEVERAL);
    }
}
