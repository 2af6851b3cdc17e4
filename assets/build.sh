#!/bin/sh
# Fetches what pages load and we did not write, by the lock file, into dist/ where the
# Go package embeds it. Without it pages work; charts say that they cannot be drawn.
set -eu
cd "$(dirname "$0")"
want=bf4a223524e40b77c304bec67e1222cf551f14880cf42c69dc046558e11c07b1
if [ -f dist/echarts.min.js ] && [ "$(sha256sum dist/echarts.min.js | cut -d' ' -f1)" = "$want" ]; then
	echo "assets: dist/ is up to date"
	exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund
from=node_modules/echarts
have=$(sha256sum "$from/dist/echarts.min.js" | cut -d' ' -f1)
if [ "$have" != "$want" ]; then
	echo "assets: $from/dist/echarts.min.js has sha256 $have, want $want" >&2
	exit 1
fi
mkdir -p dist
cp "$from/LICENSE" dist/echarts-LICENSE.txt
cp "$from/NOTICE" dist/echarts-NOTICE.txt
cp "$from/dist/echarts.min.js" dist/echarts.min.js
echo "assets: dist/echarts.min.js"
