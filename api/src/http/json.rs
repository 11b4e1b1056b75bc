//! Reads JSON and finds duplicate fields, which `serde_json` accepts in silence.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::ground::pointer::escape;

/// Largest whole number that is read as an integer if it is written with a fraction or an exponent, such as `60.0`. A
/// larger one stays a float, because it may have lost digits.
const EXACT: f64 = 1e14;

/// The result of reading a JSON text.
#[derive(Debug)]
pub(crate) struct Json {
    /// The value. A whole number that is written with a fraction or an exponent, such as `60.0` or `6e1`, is an integer
    /// up to [`EXACT`].
    pub value: Value,
    /// JSON Pointers to duplicate fields.
    pub doubled: Vec<String>,
}

impl Json {
    /// Reads a JSON text.
    ///
    /// # Errors
    /// The text is not JSON, or is nested too deeply.
    pub(crate) fn read(text: &[u8]) -> Result<Self, serde_json::Error> {
        let mut doubled = Doubled::default();
        let mut reader = serde_json::Deserializer::from_slice(text);
        let value = doubled.deserialize(&mut reader)?;
        reader.end()?;
        Ok(Self { value, doubled: doubled.0 })
    }
}

/// Reads a value, and collects JSON Pointers to its duplicate fields.
#[derive(Default)]
struct Doubled(Vec<String>);

impl Doubled {
    /// Adds the pointers to duplicate fields in a part of the value. `step` returns the name of the part.
    fn take(&mut self, step: impl FnOnce() -> String, part: Self) {
        if !part.0.is_empty() {
            let step = step();
            self.0.extend(part.0.into_iter().map(|pointer| format!("/{step}{pointer}")));
        }
    }
}

impl<'de> DeserializeSeed<'de> for &mut Doubled {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &mut Doubled {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        if number.fract() == 0.0 && number.abs() <= EXACT {
            return Ok((number as i64).into());
        }
        Number::from_f64(number).map(Value::Number).ok_or_else(|| E::custom("number out of range"))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        loop {
            let mut inner = Doubled::default();
            let Some(item) = items.next_element_seed(&mut inner)? else { return Ok(list.into()) };
            self.take(|| list.len().to_string(), inner);
            list.push(item);
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(name) = fields.next_key::<String>()? {
            let mut inner = Doubled::default();
            let value = fields.next_value_seed(&mut inner)?;
            self.take(|| escape(&name), inner);
            if map.contains_key(&name) {
                self.0.push(format!("/{}", escape(&name)));
            } else {
                map.insert(name, value);
            }
        }
        Ok(map.into())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_whole_number_is_an_integer_however_it_is_written() {
        let read = |text: &str| Json::read(text.as_bytes()).unwrap().value;
        assert_eq!(read("[60, 60.0, 6e1, -0.0, 1.5]"), json!([60, 60, 60, 0, 1.5]));
        assert_eq!(read("[99999999999999.0, 99999999999999]"), json!([99_999_999_999_999_i64, 99_999_999_999_999_i64]));
        assert!(Json::read(b"1e400").is_err());
    }

    #[test]
    fn fields_that_are_there_twice_are_named() {
        let read = Json::read(br#"{"a": {"b/": 1, "b/": 2}, "c": [{}, {"d": 1, "d": 1, "d": 1}], "a": 3}"#).unwrap();
        assert_eq!(read.doubled, ["/a/b~1", "/c/1/d", "/c/1/d", "/a"]);
        assert_eq!(read.value["a"], json!({"b/": 1}), "the first one counts");
    }

    #[test]
    fn deep_nesting_is_refused() {
        let deep = |depth: usize| Json::read(format!("{}{}", "[".repeat(depth), "]".repeat(depth)).as_bytes());
        assert!(deep(100).is_ok() && deep(10_000).is_err());
    }
}
