//! Reads query parameters. Every mistake is reported with the name of its parameter.

use std::any::{TypeId, type_name};
use std::collections::{BTreeMap, HashMap};
use std::future::{Ready, ready};
use std::ops::Deref;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa::IntoParams;
use utoipa::openapi::path::ParameterIn;

use crate::error::{Code, Detail, Problem, ProblemPart, detail};
use crate::http::shape::{Mistakes, Shape};

/// The query parameters of a request, read into their type.
#[derive(Debug)]
pub(crate) struct Query<T>(pub T);

impl<T> Deref for Query<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: DeserializeOwned + IntoParams + 'static> FromRequest for Query<T> {
    type Error = Problem;
    type Future = Ready<Result<Self, Problem>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read(request.query_string()).map(Self))
    }
}

/// The shapes of query parameters, by name.
type Parameters = BTreeMap<String, Shape>;

/// Returns the shapes of the parameters of a type. They are made once and then cached.
fn parameters<T: IntoParams + 'static>() -> Arc<Parameters> {
    static CACHED: LazyLock<RwLock<HashMap<TypeId, Arc<Parameters>>>> = LazyLock::new(RwLock::default);
    let cached = CACHED.read().unwrap_or_else(PoisonError::into_inner).get(&TypeId::of::<T>()).cloned();
    cached.unwrap_or_else(|| {
        let all = T::into_params(|| Some(ParameterIn::Query)).into_iter();
        let shapes = all.filter_map(|parameter| {
            let shape = Shape::of_schema(parameter.schema.as_ref()?, type_name::<T>());
            Some((parameter.name, shape))
        });
        let parameters = Arc::new(shapes.collect::<Parameters>());
        CACHED.write().unwrap_or_else(PoisonError::into_inner).insert(TypeId::of::<T>(), Arc::clone(&parameters));
        parameters
    })
}

/// Reads a query string.
///
/// # Errors
/// 400 with every mistake in the parameters.
fn read<T: DeserializeOwned + IntoParams + 'static>(query: &str) -> Result<T, Problem> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(query);
    let pairs =
        pairs.map_err(|_| Problem::new(Code::BadQuery, "the query is not `name=value&name=value`"))?.into_inner();
    // Most requests have no parameters.
    let shapes = if pairs.is_empty() { Arc::default() } else { parameters::<T>() };
    let (mut given, mut parts) = (Map::new(), Vec::new());
    for (name, text) in pairs {
        let mut refuse = |detail: Detail| {
            parts.push(ProblemPart { parameter: Some(name.clone()), ..ProblemPart::of(detail) });
        };
        let Some(shape) = shapes.get(&name) else {
            refuse(detail!("unknown parameter: there are {known}", known = shapes.keys().collect::<Vec<_>>()));
            continue;
        };
        let value = shape.value_of(&text);
        let mut mistakes = Mistakes::default();
        shape.check(&value, &mut mistakes);
        mistakes.into_parts().into_iter().for_each(|part| refuse(part.detail()));
        if given.insert(name.clone(), value).is_some() {
            refuse(detail!("the parameter is given twice"));
        }
    }
    if !parts.is_empty() {
        return Err(Problem::several(Code::BadQuery, parts));
    }
    serde_json::from_value(Value::Object(given)).map_err(|error| {
        tracing::debug!(%error, query = type_name::<T>(), "query fits its schema, but not the type that reads it");
        Problem::new(Code::BadQuery, "the query does not fit the description")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::game_list::GamesQuery;

    #[test]
    fn every_mistake_is_told_with_its_parameter() {
        let told = |query: &str| {
            let parts = read::<GamesQuery>(query).err().unwrap().parts;
            parts.into_iter().map(|part| (part.parameter.unwrap(), part.detail)).collect::<Vec<_>>()
        };
        let told = told("limit=abc&status=lost&limit=0&colour=red&cursor=1&rule_set=");
        let names = told.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>();
        assert_eq!(names, ["limit", "status", "limit", "limit", "colour", "cursor", "rule_set"]);
        assert_eq!(told[0].1, "`abc` is not a whole number");
        assert_eq!(told[1].1, "`lost` is not one of `open`, `playing`, `finished`");
        assert_eq!(told[2].1, "`0` is not between 1 and 100");
        assert_eq!(told[3].1, "the parameter is given twice");
    }

    #[test]
    fn parameters_are_read_by_their_types() {
        let read = read::<GamesQuery>("limit=7&rule_set=pagade%2Dx&status=open").unwrap();
        assert_eq!((read.limit, read.rule_set.as_deref()), (Some(7), Some("pagade-x")));
    }
}
