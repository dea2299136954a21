//! The viewer's pages in a real Chromium, driven through chromedriver (Debian's `chromium-driver`):
//! `cargo test --manifest-path tests/browser/Cargo.toml`, after `cargo build --release`. Without a browser or a build
//! every test says so and is skipped. Screenshots are written to `target/browser`.

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
