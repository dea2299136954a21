//! Tests of the viewer's pages in a real Chromium, driven through chromedriver (Debian's `chromium-driver`). After
//! `cargo build --release`, `cargo test --manifest-path tests/browser/Cargo.toml` runs them. Without a browser or a
//! build, every test prints a message and is skipped. Screenshots are written to `target/browser`.

#[cfg(test)]
mod batch;
#[cfg(test)]
mod chess;
#[cfg(test)]
mod driver;
#[cfg(test)]
mod live;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod person;
#[cfg(test)]
mod pictures;
#[cfg(test)]
mod rules;
#[cfg(test)]
mod screens;
#[cfg(test)]
mod settings;
#[cfg(test)]
mod tuning;
