#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes the files of Samples/small again, from the scripts and texts that lie there.
#
#   Samples/make-small.sh [BURNSCOPE]
set -euo pipefail
samples=$(cd "$(dirname "$0")" && pwd)
burnscope=${1:-"$(dirname "$samples")/.build/debug/burnscope"}
font=${FONT:-/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf}
cd "$samples/small"
# Grey bars and a coloured ramp with a transparent frame: 80x32 pixels.
ffmpeg -nostdin -hide_banner -loglevel error -y -f lavfi -i \
  "color=black@0:size=80x32,format=rgba,geq=r='255*gte(mod(X,16),8)':g='16*floor(Y/2)':b='3*X':a='255*gte(X,4)*lt(X,76)*gte(Y,4)*lt(Y,28)'" \
  -frames:v 1 -bitexact bars.png
"$burnscope" author words.srt --canvas 480x270 --language eng --font "$font" --output words.sup --force
"$burnscope" author words.srt --canvas 480x270 --language eng --font "$font" --output words.idx --force
"$burnscope" author words.srt --canvas 480x270 --language eng --font "$font" --output words.ts --force
"$burnscope" author words.srt --canvas 480x270 --font "$font" --forced --output forced.sup --force
"$burnscope" author changes.json --font "$font" --output changes.sup --force
"$burnscope" author tracks.json --font "$font" --output tracks.mks --force
