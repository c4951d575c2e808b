# A small image that contains only the program. The Kubernetes template in scripts/ uses it.
#
#   docker build -t sudoku-corpus:0.2.0 .
#   docker run --rm -v "$PWD/corpora:/corpora" sudoku-corpus:0.2.0 run --count 1000 --out /corpora/first

FROM rust:1.95-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev make && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Cargo.toml Cargo.lock ./
COPY src src
COPY data data
COPY tests tests
RUN cargo build --release --locked --bin sudoku-corpus && strip target/release/sudoku-corpus

# The C library and nothing else: no shell, no package manager. It runs as user 65532.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /source/target/release/sudoku-corpus /usr/local/bin/sudoku-corpus
COPY LICENSE-MIT LICENSE-APACHE data/fonts/OFL.txt /usr/share/doc/sudoku-corpus/
WORKDIR /home/nonroot
ENTRYPOINT ["/usr/local/bin/sudoku-corpus"]
CMD ["--help"]
