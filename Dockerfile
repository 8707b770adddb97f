# Scrutineer in a container: not root, a root file system that is only read, and one volume, /data.
#
#   podman build --format docker -t scrutineer .     (or docker build; OCI's format has no HEALTHCHECK)
#   podman run --read-only --tmpfs /tmp -v scrutineer:/data -p 127.0.0.1:8501:8501 \
#       -e SCRUTINEER_OPEN_TO_NETWORK="without login" scrutineer
#
# For both processors at once, with a list of its parts (SBOM) beside the image:
#
#   docker buildx build --platform linux/amd64,linux/arm64 --sbom=true --provenance=true \
#       --label org.opencontainers.image.source=ADDRESS --tag NAME --push .
#
# BASE is any image with Python 3.11 to 3.13 and its venv module, as one made of Debian's packages
# (docs/deployment.md); EXTRAS are optional parts ("login ocr word").

ARG BASE=docker.io/library/python:3.13-slim

FROM ${BASE} AS packages
ARG EXTRAS=""
COPY requirements /requirements
# Wheels by their hashes, as make run installs them; then without what only installs.
RUN python3 -m venv /app/.venv \
    && for part in run ${EXTRAS}; do \
        /app/.venv/bin/python -m pip install --quiet --no-cache-dir --no-deps --require-hashes \
            --only-binary=:all: -r "/requirements/${part}.txt" || exit 1; \
    done \
    && /app/.venv/bin/python -m pip uninstall --quiet --yes pip setuptools 2>/dev/null \
    && find /app/.venv -type d \( -name tests -o -name __pycache__ \) -prune -exec rm -rf {} +

FROM ${BASE}
LABEL org.opencontainers.image.title="Scrutineer" \
    org.opencontainers.image.description="Answers questions about rulebooks, word for word" \
    org.opencontainers.image.version="0.4.0" \
    org.opencontainers.image.licenses="Apache-2.0"
COPY --from=packages /app/.venv /app/.venv
COPY . /app
WORKDIR /app
RUN mkdir -m 0700 /data && chown 10001:10001 /data && .venv/bin/python -m compileall -q .
USER 10001:10001
# Outside only a proxy or a published port reaches it; app.py still asks for a login or for the word.
ENV HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1 \
    SCRUTINEER_DATA_DIR=/data \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_HEADLESS=true
VOLUME /data
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD [".venv/bin/python", "-c", \
    "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/healthz', timeout=4)"]
CMD [".venv/bin/python", "-m", "streamlit", "run", "app.py"]
