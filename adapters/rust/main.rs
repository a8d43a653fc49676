//! A sketch of a subject for fetchproof in Rust, without crates: the protocol is in protocol.rs, and here is the part of a
//! scheduler that keeps keys in verification (section 11 and 12 of the rules, without promotion). It is put under the suite
//! as it is: what it does not have is left out.
//!
//!     rustc --edition 2021 -O -o /tmp/subject adapters/rust/main.rs
//!     fetchproof check -subject /tmp/subject

mod json;
mod protocol;

use json::{object, string, Value};
use protocol::{hex, hex_list, result, Answer, Config, Hint, Id, Subject, Time};
use std::collections::{BTreeMap, BTreeSet};

struct Entry {
    hints: BTreeSet<Id>,
    claimants: BTreeSet<Id>,
    owner: Id,
    created: Time,
    next_verify: Time,
}

struct Pending {
    max_hint_sources: usize,
    max_pending: usize,
    clock: Time,
    stopped: bool,
    entries: BTreeMap<Id, Entry>,
    charges: BTreeMap<Id, u64>,
}

impl Entry {
    /// ADV-1. The owner is none while the entry is being made.
    fn merge(&mut self, claimants: &BTreeSet<Id>, paid: &BTreeSet<Id>, owner: Option<Id>, most: usize) {
        self.claimants.extend(self.hints.intersection(claimants).copied());
        for peer in claimants {
            if self.hints.contains(peer) {
                continue;
            }
            if self.hints.len() >= most {
                let displaced = self.hints.difference(&self.claimants).find(|p| Some(**p) != owner).copied();
                let Some(displaced) = displaced else { continue };
                self.hints.remove(&displaced);
            }
            self.hints.insert(*peer);
            self.claimants.insert(*peer);
        }
        for peer in paid {
            if self.hints.len() < most {
                self.hints.insert(*peer);
            }
        }
    }
}

impl Pending {
    fn tick(&mut self, now: Time) -> Time {
        self.clock = self.clock.max(now);
        self.clock
    }

    fn charge(&mut self, owner: Id, by: i64) {
        let left = self.charges.entry(owner).or_default();
        *left = left.wrapping_add_signed(by);
        if *left == 0 {
            self.charges.remove(&owner);
        }
    }

    /// Takes a key out, with the event that says why.
    fn leave(&mut self, key: Id, reason: &str) -> Value {
        if let Some(entry) = self.entries.remove(&key) {
            self.charge(entry.owner, -1);
        }
        object([("event", string("left")), ("key", string(hex(&key))), ("reason", string(reason))])
    }
}

impl Subject for Pending {
    fn add(&mut self, now: Time, key: Id, hints: &[Hint]) -> Answer {
        let now = self.tick(now);
        if hints.is_empty() {
            return result("invalid");
        }
        let claimants: BTreeSet<Id> = hints.iter().filter(|h| h.claimant).map(|h| h.peer).collect();
        let paid = hints.iter().map(|h| h.peer).filter(|p| !claimants.contains(p)).collect();
        if let Some(entry) = self.entries.get_mut(&key) {
            let owner = Some(entry.owner);
            entry.merge(&claimants, &paid, owner, self.max_hint_sources);
            return result("already-present");
        }
        if self.entries.len() >= self.max_pending {
            return result("capacity-rejected");
        }
        let mut entry =
            Entry { hints: BTreeSet::new(), claimants: BTreeSet::new(), owner: key, created: now, next_verify: now };
        entry.merge(&claimants, &paid, None, self.max_hint_sources);
        entry.owner = *entry.hints.iter().min_by_key(|p| (self.charges.get(*p).copied().unwrap_or(0), **p))?;
        self.charge(entry.owner, 1);
        self.entries.insert(key, entry);
        result("admitted")
    }

    fn depart(&mut self, now: Time, peer: Id) -> Answer {
        self.tick(now);
        let mut moved = Vec::new();
        let mut orphaned = Vec::new();
        for (key, entry) in &mut self.entries {
            entry.claimants.remove(&peer);
            if !entry.hints.remove(&peer) {
                continue;
            }
            match entry.hints.first() {
                None => orphaned.push(*key),
                Some(heir) if entry.owner == peer => {
                    entry.owner = *heir;
                    moved.push(*heir);
                }
                Some(_) => {}
            }
        }
        for heir in moved {
            self.charge(peer, -1);
            self.charge(heir, 1);
        }
        let events = orphaned.into_iter().map(|key| self.leave(key, "orphaned")).collect();
        Some(object([("events", Value::List(events))]))
    }

    fn remove(&mut self, now: Time, key: Id) -> Answer {
        self.tick(now);
        if !self.entries.contains_key(&key) {
            return result("not-pending");
        }
        let event = self.leave(key, "removed");
        Some(object([("result", string("ok")), ("events", Value::List(vec![event]))]))
    }

    fn evict(&mut self, now: Time, max_age: i64) -> Answer {
        let now = self.tick(now);
        let old = |e: &Entry| now - e.created >= max_age.max(0);
        let keys: Vec<Id> = self.entries.iter().filter(|(_, e)| old(e)).map(|(key, _)| *key).collect();
        let events = keys.into_iter().map(|key| self.leave(key, "evicted")).collect();
        Some(object([("events", Value::List(events))]))
    }

    fn stop(&mut self, now: Time) -> Answer {
        self.tick(now);
        self.stopped = true;
        result("ok")
    }

    fn ready(&mut self, now: Time, limit: i64) -> Answer {
        let now = now.max(self.clock);
        let ready = self.entries.iter().filter(|(_, e)| e.next_verify <= now).map(|(key, _)| key);
        Some(object([("keys", hex_list(ready.take(limit.max(0) as usize)))]))
    }

    fn drained(&mut self, _now: Time, keys: &[Id]) -> Answer {
        Some(object([("drained", Value::Bool(!keys.iter().any(|key| self.entries.contains_key(key))))]))
    }

    fn state(&mut self, _now: Time) -> Answer {
        let pending = self.entries.iter().map(|(key, e)| {
            let entry = object([
                ("hints", hex_list(&e.hints)),
                ("claimants", hex_list(&e.claimants)),
                ("owner", string(hex(&e.owner))),
                ("created", Value::Int(e.created.into())),
                ("next_verify", Value::Int(e.next_verify.into())),
            ]);
            (hex(key), entry)
        });
        let charges = self.charges.iter().map(|(owner, n)| (hex(owner), Value::Int((*n).into())));
        let state = object([
            ("clock", Value::Int(self.clock.into())),
            ("stopped", Value::Bool(self.stopped)),
            ("pending", Value::Object(pending.collect())),
            ("charges", Value::Object(charges.collect())),
        ]);
        Some(object([("state", state)]))
    }
}

fn create(machine: &str, config: &Config) -> Result<Box<dyn Subject>, String> {
    if machine != "scheduler" {
        return Err(format!("there is no {machine} here"));
    }
    Ok(Box::new(Pending {
        max_hint_sources: config.number("max_hint_sources")? as usize,
        max_pending: config.number("max_pending")? as usize,
        clock: 0,
        stopped: false,
        entries: BTreeMap::new(),
        charges: BTreeMap::new(),
    }))
}

fn main() -> std::io::Result<()> {
    protocol::serve("rust sketch", create)
}
