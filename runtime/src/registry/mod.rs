//! Which tools there are: from mounted folders and named files to tools by name.

#![forbid(unsafe_code)]

mod resolution;
mod scan;
mod secret;

pub use resolution::{FileGrants, HttpSource, Written};
pub use scan::{EXTENSION, Found, LARGEST_SOURCE, Source, scan};
pub use secret::{Secret, redact};
