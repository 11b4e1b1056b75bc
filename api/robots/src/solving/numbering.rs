//! The numbers of arrangements and contexts while threads find them.

use std::sync::{Mutex, MutexGuard};

use pagade_rules::play::{Engine, State};

use super::arrangement::{Arrangement, Arrangements};
use super::context::Contexts;
use super::key::{MOST_ARRANGEMENTS, MOST_CONTEXTS, Numbering};

/// The numbers that all threads share.
#[derive(Debug, Default)]
pub(super) struct SharedNumbers {
    arrangements: Mutex<Arrangements>,
    contexts: Mutex<Contexts>,
}

impl SharedNumbers {
    /// The arrangements and contexts that were found.
    pub(super) fn into_parts(self) -> (Arrangements, Contexts) {
        let message = "no thread panics while it numbers";
        (self.arrangements.into_inner().expect(message), self.contexts.into_inner().expect(message))
    }

    fn arrangements(&self) -> MutexGuard<'_, Arrangements> {
        self.arrangements.lock().expect("no thread panics while it numbers")
    }

    fn contexts(&self) -> MutexGuard<'_, Contexts> {
        self.contexts.lock().expect("no thread panics while it numbers")
    }
}

/// A thread's copy of the shared numbers, which may lack the newest.
#[derive(Debug)]
pub(super) struct Local<'s> {
    shared: &'s SharedNumbers,
    arrangements: Arrangements,
    contexts: Contexts,
}

impl<'s> Local<'s> {
    pub(super) fn new(shared: &'s SharedNumbers) -> Self {
        Local { shared, arrangements: Arrangements::default(), contexts: Contexts::default() }
    }

    /// Copies the arrangements and contexts that other threads have numbered.
    pub(super) fn catch_up(&mut self, engine: &Engine) {
        let shared = self.shared.arrangements();
        for arrangement in &shared.list[self.arrangements.list.len()..] {
            self.arrangements.push(engine, *arrangement);
        }
        drop(shared);
        let shared = self.shared.contexts();
        for number in self.contexts.list.len()..shared.list.len() {
            self.contexts.push(engine, shared.list[number], shared.examples[number].clone());
        }
    }

    /// Number of pawns at home in an arrangement of this thread.
    pub(super) fn home(&self, number: u32) -> u8 {
        self.arrangements.homes[number as usize]
    }
}

impl Numbering for Local<'_> {
    #[inline]
    fn arrangement(&mut self, engine: &Engine, arrangement: &Arrangement) -> Option<u32> {
        if let Some(number) = self.arrangements.find(arrangement) {
            return Some(number);
        }
        {
            let mut shared = self.shared.arrangements();
            if shared.find(arrangement).is_none() && shared.list.len() < MOST_ARRANGEMENTS {
                shared.push(engine, *arrangement);
            }
        }
        self.catch_up(engine);
        self.arrangements.find(arrangement)
    }

    fn context(&mut self, engine: &Engine, context: &State, position: &State) -> Option<u32> {
        if let Some(number) = self.contexts.find(engine, context) {
            return Some(number);
        }
        {
            let mut shared = self.shared.contexts();
            if shared.find(engine, context).is_none() && shared.list.len() < MOST_CONTEXTS {
                shared.push(engine, *context, engine.encode(position));
            }
        }
        self.catch_up(engine);
        self.contexts.find(engine, context)
    }

    fn arrangement_at(&self, number: u32) -> &Arrangement {
        &self.arrangements.list[number as usize]
    }

    fn context_at(&self, number: u32) -> &State {
        &self.contexts.list[number as usize]
    }
}
