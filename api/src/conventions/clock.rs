//! The time, as it is written in answers.

use jiff::{Timestamp, Unit};

/// Now in RFC 3339, UTC, to the millisecond.
pub fn now() -> String {
    let now = Timestamp::now();
    now.round(Unit::Millisecond).unwrap_or(now).to_string()
}

/// A moment, in milliseconds since 1970, as it is written in answers.
pub fn at(milliseconds: u64) -> String {
    let moment = i64::try_from(milliseconds).ok().and_then(|moment| Timestamp::from_millisecond(moment).ok());
    moment.unwrap_or(Timestamp::MAX).to_string()
}

/// A moment as it is written in answers, in milliseconds since 1970; 0 where it is none.
pub fn read(text: &str) -> u64 {
    text.parse::<Timestamp>().ok().and_then(|moment| u64::try_from(moment.as_millisecond()).ok()).unwrap_or_default()
}

/// Milliseconds since 1970.
pub fn milliseconds() -> u64 {
    u64::try_from(Timestamp::now().as_millisecond()).unwrap_or_default()
}

/// Seconds since 1970.
pub fn seconds() -> u64 {
    u64::try_from(Timestamp::now().as_second()).unwrap_or_default()
}
