//! Tests of sources and documents: the layers and rooms of the code, the facts that documents state, the help texts of
//! programs.

mod documents;
mod facts;
mod helps;
mod layers;
mod names;
mod rooms;
mod service_features;
mod strength;
mod test_places;
