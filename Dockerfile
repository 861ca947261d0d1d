# One image, four commands: `docker buildx build --platform linux/amd64,linux/arm64 --target placement .`
# The content is laid out by the script that `npm run package` uses without an engine: Node, the libraries that it is
# linked to, and one file with the functions. No shell, no package manager, no node_modules.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /modelberth
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN node scripts/package/lay-out-image.ts "$TARGETARCH" /image

FROM scratch AS image
COPY --from=build /image/ /
ARG VERSION=v0.1.0
ENV PATH=/usr/bin NODE_ENV=production MODELBERTH_VERSION=$VERSION
USER 65532:65532
WORKDIR /
EXPOSE 9443

FROM image AS placement
ENTRYPOINT ["/usr/bin/node", "/app/main.mjs", "placement"]

FROM image AS engine-config
ENTRYPOINT ["/usr/bin/node", "/app/main.mjs", "engine-config"]

FROM image AS rollout-strategy
ENTRYPOINT ["/usr/bin/node", "/app/main.mjs", "rollout-strategy"]

FROM image AS gateway
ENTRYPOINT ["/usr/bin/node", "/app/main.mjs", "gateway"]
