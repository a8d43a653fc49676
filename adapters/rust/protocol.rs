//! The subject's side of docs/PROTOCOL.md: lines in, answers out.
//!
//! Implement `Subject` for your scheduler. An operation whose method you leave alone is answered `unsupported`, and the
//! suite then leaves it out; a state field that you do not give is not compared.

use crate::json::{self, object, string, Value};
use std::io::{self, BufRead, Write};

/// A key, a peer or a distance. Arrays compare as bytes, as the rules want it.
pub type Id = [u8; 32];
/// Nanoseconds.
pub type Time = i64;

pub struct Hint {
    pub peer: Id,
    pub claimant: bool,
}

/// What an operation answers: the fields of the answer, or nothing if there is no such operation.
pub type Answer = Option<Value>;

/// A machine under test: one method for each operation. `now` comes as it was sent, and may be earlier than the latest seen
/// (DET-3).
#[allow(unused_variables)]
pub trait Subject {
    fn add(&mut self, now: Time, key: Id, hints: &[Hint]) -> Answer { None }
    fn promote(&mut self, now: Time, key: Id, distance: Id, sources: &[Id]) -> Answer { None }
    fn enqueue(&mut self, now: Time, key: Id, distance: Id, sources: &[Id]) -> Answer { None }
    fn fill(&mut self, now: Time) -> Answer { None }
    fn arrive(&mut self, attempt: u64) -> Answer { None }
    fn answer(&mut self, now: Time, attempt: u64, place: u64) -> Answer { None }
    fn busy(&mut self, now: Time, attempt: u64, place: u64, wait: i64) -> Answer { None }
    fn outcome(&mut self, now: Time, attempt: u64, kind: &str, place: Option<u64>) -> Answer { None }
    fn depart(&mut self, now: Time, peer: Id) -> Answer { None }
    fn remove(&mut self, now: Time, key: Id) -> Answer { None }
    fn evict(&mut self, now: Time, max_age: i64) -> Answer { None }
    fn stop(&mut self, now: Time) -> Answer { None }
    fn ready(&mut self, now: Time, limit: i64) -> Answer { None }
    fn drained(&mut self, now: Time, keys: &[Id]) -> Answer { None }
    fn request(&mut self, now: Time, peer: Id, asks_busy: bool) -> Answer { None }
    fn take(&mut self, now: Time, ticket: u64) -> Answer { None }
    fn release(&mut self, now: Time, ticket: u64) -> Answer { None }
    fn send_done(&mut self, now: Time, send: u64) -> Answer { None }
    fn state(&mut self, now: Time) -> Answer { None }
}

/// What makes the machine that an init names, or says what is wrong with its configuration.
pub type Create = fn(machine: &str, config: &Config) -> Result<Box<dyn Subject>, String>;

pub const SCHEDULER: &[&str] = &[
    "add", "promote", "enqueue", "fill", "arrive", "answer", "busy", "outcome", "depart", "remove", "evict", "stop", "ready",
    "drained", "state",
];
pub const RESPONDER: &[&str] = &["request", "take", "release", "send_done", "state"];

/// The numbers of section 2 of the rules that the scheduler has: counts, then durations. All are given, and at least 1.
const SCHEDULER_NUMBERS: &[&str] = &[
    "slots", "share", "contact_table", "close_group", "paid_list_close_group", "max_hint_sources", "source_cap", "max_queued",
    "max_pending", "busy_multiplier_max", "busy_table", "fetch_timeout", "mark_lifetime", "busy_wait_min", "busy_wait_max",
    "busy_cooldown_cap", "busy_forget_after", "verify_retry_delay", "pending_max_age", "summary_every",
];
const RESPONDER_NUMBERS: &[&str] = &[
    "peer_share", "pool", "busy_send_permits", "busy_peer_burst", "busy_peer_rate", "busy_peer_in_flight", "busy_global_burst",
    "busy_global_rate", "busy_peer_table", "workers", "fetch_timeout", "busy_send_deadline",
];

/// The configuration of an init, by the names of the protocol.
pub struct Config<'a>(&'a Value);

impl Config<'_> {
    /// Refuses an impossible configuration of a machine (section 2 of the rules).
    fn check(&self, machine: &str) -> Result<(), String> {
        let numbers = if machine == "scheduler" { SCHEDULER_NUMBERS } else { RESPONDER_NUMBERS };
        numbers.iter().try_for_each(|name| self.number(name).map(|_| ()))?;
        if machine != "scheduler" {
            return Ok(());
        }
        self.flag("silence")?;
        if self.number("busy_wait_min")? > self.number("busy_wait_max")? {
            return Err("config: busy_wait_min: want at most busy_wait_max".into());
        }
        if self.number("busy_multiplier_max")?.count_ones() != 1 {
            return Err("config: busy_multiplier_max: want a power of two".into());
        }
        Ok(())
    }

    /// A count or a duration: at least 1.
    pub fn number(&self, name: &str) -> Result<i64, String> {
        match self.0.get(name) {
            Some(Value::Int(n)) if *n >= 1 && *n <= i64::MAX as i128 => Ok(*n as i64),
            _ => Err(format!("config: {name}: want a whole number of at least 1")),
        }
    }

    pub fn flag(&self, name: &str) -> Result<bool, String> {
        match self.0.get(name) {
            Some(Value::Bool(b)) => Ok(*b),
            _ => Err(format!("config: {name}: want true or false")),
        }
    }
}

/// Answers standard input on standard output until it ends. Answers are written when no more lines are there to read.
pub fn serve(name: &str, create: Create) -> io::Result<()> {
    let mut session = Session { name, create, machine: None };
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = io::stdout().lock();
    let (mut line, mut answers) = (Vec::new(), String::new());
    loop {
        if !input.buffer().contains(&b'\n') {
            output.write_all(answers.as_bytes())?;
            output.flush()?;
            answers.clear();
        }
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        json::write(&mut answers, &session.respond(&line));
        answers.push('\n');
    }
}

struct Session<'a> {
    name: &'a str,
    create: Create,
    machine: Option<(Box<dyn Subject>, &'static [&'static str])>,
}

impl Session<'_> {
    fn respond(&mut self, line: &[u8]) -> Value {
        let read = std::str::from_utf8(line).map_err(|e| e.to_string()).and_then(json::parse);
        read.and_then(|message| self.carry_out(&message)).unwrap_or_else(|why| object([("error", string(why))]))
    }

    fn carry_out(&mut self, message: &Value) -> Result<Value, String> {
        let op = word(message, "op")?;
        if op == "init" {
            return self.init(message);
        }
        let (machine, known) = self.machine.as_mut().ok_or_else(|| format!("{op} before init"))?;
        let answer = if known.contains(&op) { dispatch(machine.as_mut(), op, message)? } else { None };
        Ok(answer.unwrap_or_else(|| object([("result", string("unsupported"))])))
    }

    fn init(&mut self, message: &Value) -> Result<Value, String> {
        if message.get("protocol") != Some(&Value::Int(1)) {
            return Err("want protocol 1".into());
        }
        let kind = word(message, "machine")?;
        let config = Config(message.get("config").ok_or("config is missing")?);
        config.check(kind)?;
        // The new machine is made first: a configuration that it refuses leaves the old one as it is.
        let machine = (self.create)(kind, &config)?;
        self.machine = Some((machine, if kind == "scheduler" { SCHEDULER } else { RESPONDER }));
        Ok(object([("result", string("ok")), ("protocol", Value::Int(1)), ("name", string(self.name))]))
    }
}

fn dispatch(s: &mut dyn Subject, op: &str, m: &Value) -> Result<Answer, String> {
    let now = || int(m, "now");
    Ok(match op {
        "add" => s.add(now()?, id(m, "key")?, &hints(m)?),
        "promote" => s.promote(now()?, id(m, "key")?, id(m, "distance")?, &ids(m, "sources")?),
        "enqueue" => s.enqueue(now()?, id(m, "key")?, id(m, "distance")?, &ids(m, "sources")?),
        "fill" => s.fill(now()?),
        "arrive" => s.arrive(number(m, "attempt")?),
        "answer" => s.answer(now()?, number(m, "attempt")?, number(m, "place")?),
        "busy" => s.busy(now()?, number(m, "attempt")?, number(m, "place")?, int(m, "wait")?),
        "outcome" => {
            let place = m.get("place").map(|_| number(m, "place")).transpose()?;
            s.outcome(now()?, number(m, "attempt")?, word(m, "kind")?, place)
        }
        "depart" => s.depart(now()?, id(m, "peer")?),
        "remove" => s.remove(now()?, id(m, "key")?),
        "evict" => s.evict(now()?, int(m, "max_age")?),
        "stop" => s.stop(now()?),
        "ready" => s.ready(now()?, int(m, "limit")?),
        "drained" => s.drained(now()?, &ids(m, "keys")?),
        "request" => s.request(now()?, id(m, "peer")?, flag(m, "asks_busy")?),
        "take" => s.take(now()?, number(m, "ticket")?),
        "release" => s.release(now()?, number(m, "ticket")?),
        "send_done" => s.send_done(now()?, number(m, "send")?),
        "state" => s.state(now()?),
        _ => None,
    })
}

fn missing(name: &str) -> String {
    format!("{name} is missing or of the wrong type")
}

fn word<'a>(m: &'a Value, name: &str) -> Result<&'a str, String> {
    match m.get(name) {
        Some(Value::Str(s)) => Ok(s),
        _ => Err(missing(name)),
    }
}

fn int(m: &Value, name: &str) -> Result<i64, String> {
    match m.get(name) {
        Some(Value::Int(n)) => i64::try_from(*n).map_err(|_| missing(name)),
        _ => Err(missing(name)),
    }
}

fn number(m: &Value, name: &str) -> Result<u64, String> {
    match m.get(name) {
        Some(Value::Int(n)) => u64::try_from(*n).map_err(|_| missing(name)),
        _ => Err(missing(name)),
    }
}

fn flag(m: &Value, name: &str) -> Result<bool, String> {
    match m.get(name) {
        Some(Value::Bool(b)) => Ok(*b),
        _ => Err(missing(name)),
    }
}

fn id(m: &Value, name: &str) -> Result<Id, String> {
    parse_id(m.get(name)).ok_or_else(|| missing(name))
}

fn ids(m: &Value, name: &str) -> Result<Vec<Id>, String> {
    match m.get(name) {
        Some(Value::List(items)) => items.iter().map(|v| parse_id(Some(v)).ok_or_else(|| missing(name))).collect(),
        _ => Err(missing(name)),
    }
}

fn hints(m: &Value) -> Result<Vec<Hint>, String> {
    match m.get("hints") {
        Some(Value::List(items)) => {
            items.iter().map(|h| Ok(Hint { peer: id(h, "peer")?, claimant: flag(h, "claimant")? })).collect()
        }
        _ => Err(missing("hints")),
    }
}

fn parse_id(v: Option<&Value>) -> Option<Id> {
    let Some(Value::Str(s)) = v else { return None };
    let digit = |c: u8| match c {
        b'0'..=b'9' => Some(c - b'0'),
        b'a'..=b'f' => Some(c - b'a' + 10),
        _ => None,
    };
    let digits = s.as_bytes();
    if digits.len() != 64 {
        return None;
    }
    let mut id = [0; 32];
    for (i, byte) in id.iter_mut().enumerate() {
        *byte = digit(digits[2 * i])? << 4 | digit(digits[2 * i + 1])?;
    }
    Some(id)
}

pub fn hex(id: &Id) -> String {
    id.iter().map(|b| format!("{b:02x}")).collect()
}

pub fn hex_list<'a>(ids: impl IntoIterator<Item = &'a Id>) -> Value {
    Value::List(ids.into_iter().map(|id| string(hex(id))).collect())
}

/// An answer that is a result and nothing else.
pub fn result(word: &str) -> Answer {
    Some(object([("result", string(word))]))
}
