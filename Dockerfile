# A small image that contains only the program. The Kubernetes template in scripts/ uses it.
#
#   docker build -t sudoku-corpus:0.5.0 .
#   docker run --rm -v "$PWD/corpora:/corpora" sudoku-corpus:0.5.0 run --count 1000 --out /corpora/first

# The digests are those of the indexes of all architectures: docker buildx imagetools inspect rust:1.95-slim-bookworm
FROM rust:1.95-slim-bookworm@sha256:d7482085ff5b415f84dba5647ae71606650bdef00db7aeb69f4b3d170c3e4082 AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev lld make && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY Cargo.toml Cargo.lock ./
COPY src src
COPY data data
COPY tests tests
# A member of the workspace; it is not built here.
COPY scripts/python scripts/python
# The program contains the C library. The linker stores equal functions once, and relocations in a compact form.
ENV RUSTFLAGS="-C target-feature=+crt-static -C link-arg=-fuse-ld=lld -C link-arg=-Wl,--icf=all -C link-arg=-Wl,-z,pack-relative-relocs"
RUN target=$(rustc -vV | sed -n 's/^host: //p') \
    && cargo build --profile dist --locked --target "$target" --bin sudoku-corpus \
    && cp "target/$target/dist/sudoku-corpus" /sudoku-corpus
# Completions and man pages, for those who copy the program out of the image.
RUN mkdir -p /share/bash-completion/completions /share/zsh/site-functions /share/fish/vendor_completions.d \
    && /sudoku-corpus completions bash > /share/bash-completion/completions/sudoku-corpus \
    && /sudoku-corpus completions zsh > /share/zsh/site-functions/_sudoku-corpus \
    && /sudoku-corpus completions fish > /share/fish/vendor_completions.d/sudoku-corpus.fish \
    && /sudoku-corpus man --out /share/man/man1

# Nothing but the program: no shell, no package manager, no C library. It runs as user 65532.
FROM gcr.io/distroless/static-debian12:nonroot@sha256:afa5c872c891853ca7fcf1f12c3edb23f7eeef36189728842dd51042ff57f7ab
COPY --from=build /sudoku-corpus /usr/local/bin/sudoku-corpus
COPY --from=build /share /usr/local/share
COPY LICENSE-MIT LICENSE-APACHE src/press/draw/text/fonts/OFL.txt /usr/share/doc/sudoku-corpus/
WORKDIR /home/nonroot
ENTRYPOINT ["/usr/local/bin/sudoku-corpus"]
CMD ["--help"]
