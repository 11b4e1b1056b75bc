//! Tests of what is written: the layers and rooms of the code, the documents and the facts that they state, the help
//! texts of programs.

mod documents;
mod facts;
mod helps;
mod layers;
mod rooms;
mod service_features;
