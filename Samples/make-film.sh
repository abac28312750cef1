#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes Samples/work/film.mkv: 60 s of moving pictures, sound, and six bitmap subtitle tracks.
#
#   Samples/make-film.sh [BURNSCOPE]
#
# BURNSCOPE is the built program (.build/debug/burnscope, or the release build if that is there).
# The ffmpeg program makes picture and sound; the tracks come from Samples/film.json.
set -euo pipefail

samples=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$samples")
work="$samples/work"
burnscope=${1:-}
if [ -z "$burnscope" ]; then
  burnscope="$root/.build/debug/burnscope"
  [ -x "$root/.build/release/burnscope" ] && burnscope="$root/.build/release/burnscope"
fi
[ -x "$burnscope" ] || { echo "$burnscope is not there; run 'swift build' first" >&2; exit 66; }
mkdir -p "$work"

# Five scenes, with hard cuts that are not at key frames: fine texture, flat areas, dark and light,
# slow and quick motion, and grain that changes with every frame. The sound is set back by the 1024
# samples that the AAC encoder puts in front, so that picture and file begin at zero.
if [ ! -s "$work/picture.mkv" ]; then
  ffmpeg -nostdin -hide_banner -loglevel error -y -filter_complex "
    mandelbrot=size=480x270:rate=24:start_scale=0.08:end_scale=0.0004:end_pts=400:maxiter=300,
      trim=duration=13,setpts=PTS-STARTPTS,scale=1280:720:flags=bicubic,
      hue=H='0.05*t':s=0.7,format=yuv420p,setsar=1[a];
    testsrc2=size=1280x720:rate=24,trim=duration=11,setpts=PTS-STARTPTS,
      hue=H='0.3*t':s=0.6,eq=brightness=-0.05,format=yuv420p,setsar=1[b];
    gradients=size=1280x720:rate=24:speed=0.02:seed=7:nb_colors=6:c0=0x203040:c1=0xd0c0a0:c2=0x806040:c3=0x102010:c4=0xf0f0f0:c5=0x4060a0,
      trim=duration=12,setpts=PTS-STARTPTS,format=yuv420p,setsar=1[c];
    life=size=320x180:rate=24:mold=20:ratio=0.35:seed=11:death_color=#203878:life_color=#f8f0d0,
      trim=duration=11,setpts=PTS-STARTPTS,scale=1280:720:flags=bilinear,format=yuv420p,setsar=1[d];
    color=size=320x180:rate=24:color=0x707468,trim=duration=13,setpts=PTS-STARTPTS,
      geq=lum='128+58*sin((X+10*T)/8)*cos((Y-6*T)/6)+30*sin((X-Y+15*T)/3)':cb='128+18*sin(X/50+T)':cr='128+18*cos(Y/38-T)',
      scale=1280:720:flags=bicubic,format=yuv420p,setsar=1[e];
    [a][b][c][d][e]concat=n=5:v=1:a=0,noise=alls=9:allf=t+u:all_seed=3,format=yuv420p[v];
    anoisesrc=duration=60:color=pink:amplitude=0.12:seed=5:sample_rate=48000[n];
    sine=frequency=196:duration=60:sample_rate=48000,tremolo=f=0.4:d=0.6,volume=0.25[s];
    [n][s]amix=inputs=2:duration=longest,aformat=channel_layouts=stereo,
      asetpts=PTS+1024[o]" \
    -map '[v]' -map '[o]' -t 60 \
    -c:v libx264 -preset superfast -threads 2 -b:v 6M -maxrate 8M -bufsize 12M -profile:v high \
    -g 48 -keyint_min 48 -sc_threshold 0 -bf 2 -pix_fmt yuv420p \
    -color_primaries bt709 -color_trc bt709 -colorspace bt709 \
    -c:a aac -b:a 128k -bitexact -f matroska "$work/picture.mkv.partial"
  mv "$work/picture.mkv.partial" "$work/picture.mkv"
fi

"$burnscope" author "$samples/film.json" --film "$work/picture.mkv" \
  --output "$work/film.mkv" --force
