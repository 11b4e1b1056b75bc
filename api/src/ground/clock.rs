//! The wall clock, and moments as text (RFC 3339) as answers and records contain them.

use std::num::NonZero;
use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::well_known::Iso8601;
use time::format_description::well_known::iso8601::{Config, EncodedConfig, TimePrecision};

/// The format of moments. It always has three digits after the second, so that texts sort in the order of their
/// moments.
const WRITTEN: EncodedConfig =
    Config::DEFAULT.set_time_precision(TimePrecision::Second { decimal_digits: NonZero::new(3) }).encode();

/// The last moment that RFC 3339 can write, in milliseconds since 1970: the end of the year 9999.
const LAST: u64 = 253_402_300_799_999;

/// Returns the present moment as RFC 3339 in UTC, with three digits of milliseconds.
pub(crate) fn now() -> String {
    at(milliseconds())
}

/// Writes a moment, given in milliseconds since 1970, as RFC 3339.
pub(crate) fn at(milliseconds: u64) -> String {
    let nanoseconds = i128::from(milliseconds.min(LAST)) * 1_000_000;
    let moment = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    moment.format(&Iso8601::<WRITTEN>).unwrap_or_default()
}

/// Reads a moment that [`at`] has written, in milliseconds since 1970; `None` if the text is not a moment.
pub(crate) fn read(text: &str) -> Option<u64> {
    let moment = OffsetDateTime::parse(text, &Iso8601::DEFAULT).ok()?;
    u64::try_from(moment.unix_timestamp_nanos() / 1_000_000).ok()
}

/// Returns the present moment in milliseconds since 1970.
pub(crate) fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the present moment in seconds since 1970.
pub(crate) fn seconds() -> u64 {
    milliseconds() / 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_to_the_millisecond() {
        assert_eq!(at(1_795_251_605_123), "2026-11-21T09:00:05.123Z");
        assert_eq!(at(0), "1970-01-01T00:00:00.000Z");
        assert_eq!((read(&at(1_795_251_605_123)), read("soon")), (Some(1_795_251_605_123), None));
        assert_eq!(at(1_795_251_605_120), "2026-11-21T09:00:05.120Z");
        assert_eq!(at(u64::MAX), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn what_is_written_is_read_as_the_same_moment() {
        // The step is no multiple of a day, so all months, hours and minutes are met, and years with 366 days.
        for moment in (0..LAST).step_by(7_654_321_987).chain([951_782_400_000, 951_868_799_999, LAST]) {
            let written = at(moment);
            assert_eq!((read(&written), written.len()), (Some(moment), 24), "{written}");
        }
    }

    #[test]
    fn moments_sort_as_they_are_written() {
        let written: Vec<_> = (999..3_002).map(at).collect();
        assert!(written.is_sorted_by(|a, b| a < b));
    }
}
