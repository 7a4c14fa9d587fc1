//! Against real servers on loopback.
