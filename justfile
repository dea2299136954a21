# Commands of a contributor: `just` lists them. Each line also runs by itself in a shell.

# List the commands
default:
    @just --list

# Build the program: target/release/tengen
build:
    cargo build --release

# Run all tests, or those whose name contains WORD
test WORD='':
    cargo test --workspace {{WORD}}

# Format, lints, prose and commit subjects: what to run before a commit
check:
    cargo fmt --all -- --check
    cargo clippy --workspace --all-targets --features parquet,png -- -D warnings
    .ci/prose
    .ci/commits

# Run scenes: all examples, or a file or folder
scenes *PATHS='scenes':
    cargo run --release -- run {{PATHS}}

# Compare the signature of each domain with benches/signature.txt
signature:
    cargo run --release --quiet -- bench --check benches/signature.txt

# Run the benches whose name contains WORD
bench WORD='':
    cargo bench --package tengen-benches -- {{WORD}}

# Measure what the engine of DOMAIN (chess, go) loses without each rule, or without the rules of GROUPS
ablation DOMAIN *GROUPS:
    benches/ablation/{{DOMAIN}} {{GROUPS}}

# Build the documentation of all crates and open it
docs:
    cargo doc --workspace --no-deps --open

# Install the Python package into target/venv and test it
python:
    python3 -m venv target/venv
    target/venv/bin/pip install './python[test]'
    target/venv/bin/python -m pytest -q python/tests

# Run the first hours of seven newcomers and the commands of the documentation, and compare the output
first-hour: build
    TENGEN=target/release/tengen tests/first_hour/run
    TENGEN=target/release/tengen .ci/book

# Check licences, sources and advisories of all dependencies (needs cargo-deny)
deny:
    cargo deny --all-features check
    cargo deny --manifest-path python/Cargo.toml --config deny.toml check
    cargo deny --manifest-path web/Cargo.toml --config deny.toml check

# All that CI runs
ci:
    .ci/run

# Build what is handed out into dist/: programs, wheel, completions, man pages, licences, checksums
dist *TARGETS:
    .ci/dist {{TARGETS}}

# Install what `just dist` made on a bare Debian without network (needs root and debootstrap)
bare-debian:
    tests/first_hour/bare_debian

# Run all scenes by wine and by qemu and compare the records with those of this machine
platforms:
    .ci/platforms
