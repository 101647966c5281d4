#!/usr/bin/env bash
# Builds ../static/vendor.js and its licences from the pinned packages. Nothing of what a package would run at
# its installation is run. `build.sh --check` builds beside it and says whether it is the same, byte for byte.
set -euo pipefail
cd "$(dirname "$0")"
npm ci --ignore-scripts --no-audit --no-fund --silent
out=../static/vendor.js
[[ "${1:-}" == --check ]] && out=$(mktemp)
node_modules/@esbuild/*/bin/esbuild vendor.js --bundle --minify --format=esm --target=es2022 \
    --legal-comments=none --log-level=warning --outfile="$out" --allow-overwrite
licences=$(for name in preact htm @preact/signals @preact/signals-core; do
    printf '%s %s\n\n' "$name" "$(node -p "require('./node_modules/$name/package.json').version")"
    cat "node_modules/$name/LICENSE"
    printf '\n'
done)
if [[ "${1:-}" == --check ]]; then
    cmp "$out" ../static/vendor.js
    cmp <(printf '%s\n' "$licences") ../static/vendor.LICENSES.txt
else
    printf '%s\n' "$licences" > ../static/vendor.LICENSES.txt
    (cd ../static && sha256sum vendor.js vendor.LICENSES.txt > vendor.sha256)
fi
