#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compares the time of `burnscope probe` with that of ffprobe counting subtitle packets, on a Matroska
# film of some 2 GB with several PGS tracks. The film is made under ${TMPDIR:-/tmp} and removed again.
#
#   Scripts/bench-probe.sh [MEGABYTES] [RUNS]
#
# Needs ffmpeg, ffprobe, mkvmerge, python3, and a release build (BURNSCOPE names another program).
set -eu
megabytes=${1:-2048}
runs=${2:-5}
root=$(cd "$(dirname "$0")/.." && pwd)
program=${BURNSCOPE:-$root/.build/release/burnscope}
folder=$(mktemp -d "${TMPDIR:-/tmp}/burnscope-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# One minute of noise that does not compress, then as often as the size asks for.
ffmpeg -v error -f lavfi -i "testsrc2=s=1280x720:r=24,noise=alls=60:allf=t" \
  -f lavfi -i "sine=r=48000" -t 10 -c:v mpeg2video -q:v 2 -maxrate 40M -bufsize 8M -g 24 \
  -c:a ac3 -b:a 448k "$folder/piece.mkv"
piece=$(wc -c <"$folder/piece.mkv")
times=$((megabytes * 1000000 / piece))
ffmpeg -v error -stream_loop "$times" -i "$folder/piece.mkv" -map 0 -c copy "$folder/film.mkv"
rm "$folder/piece.mkv"

python3 - "$folder" $(((times + 1) * 10)) <<'PYTHON'
import random, struct, sys

folder, seconds = sys.argv[1], int(sys.argv[2])

def segment(out, kind, time, data):
    out.write(b"PG" + struct.pack(">IIBH", int(time * 90000), 0, kind, len(data)) + data)

def track(path, step, seed):
    noise = random.Random(seed)
    with open(path, "wb") as out:
        number, time = 0, 1.0 + seed / 10
        while time + step < seconds:
            width, height = 600, 80
            rows = b"".join(
                bytes(noise.randrange(1, 256) for _ in range(width)) + b"\x00\x00"
                for _ in range(height))
            rows = rows[:64000]
            head = struct.pack(">HHBHBBB", 1920, 1080, 0x10, number & 0xFFFF, 0x80, 0, 0)
            area = b"\x01\x00" + struct.pack(">HHHH", 600, 900, width, height)
            forced = 0x40 if number % 20 == 0 else 0
            segment(out, 0x16, time, head + b"\x01" + struct.pack(">HBBHH", 0, 0, forced, 600, 900))
            segment(out, 0x17, time, area)
            segment(out, 0x14, time, b"\x00\x00" + b"".join(
                bytes((i, i, 128, 128, 255)) for i in range(1, 256)))
            size = (len(rows) + 4).to_bytes(3, "big")
            segment(out, 0x15, time, b"\x00\x00\x00\xC0" + size + struct.pack(">HH", width, height)
                    + rows)
            segment(out, 0x80, time, b"")
            clear = struct.pack(">HHBHBBB", 1920, 1080, 0x10, (number + 1) & 0xFFFF, 0, 0, 0)
            segment(out, 0x16, time + step * 0.6, clear + b"\x00")
            segment(out, 0x17, time + step * 0.6, area)
            segment(out, 0x80, time + step * 0.6, b"")
            number, time = number + 2, time + step

for index, step in enumerate((3.0, 3.5, 4.0, 60.0)):
    track("%s/%d.sup" % (folder, index), step, index)
PYTHON
mkvmerge -q -o "$folder/all.mkv" "$folder/film.mkv" "$folder"/[0-9].sup
rm "$folder/film.mkv"
mkvmerge -q -o "$folder/plain.mkv" --no-cues --disable-track-statistics-tags "$folder/all.mkv"

python3 - "$program" "$runs" "$folder/all.mkv" "$folder/plain.mkv" <<'PYTHON'
import os, resource, statistics, subprocess, sys, time

program, runs, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]

def measure(command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    walls, works = [], []
    for _ in range(runs):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        walls.append(time.monotonic() - start)
        works.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(walls), statistics.median(walls), min(works), statistics.median(works)

for path, kind in zip(files, ("with Cues and statistics", "without Cues: every block head is visited")):
    rows = [
        ("`burnscope probe`", measure([program, "probe", path])),
        ("`ffprobe -count_packets`", measure(
            ["ffprobe", "-v", "error", "-select_streams", "s", "-count_packets",
             "-show_entries", "stream=nb_read_packets", path])),
    ]
    print("### A film of %.0f MB %s, warm cache\n" % (os.path.getsize(path) / 1e6, kind))
    print("| | processor time | least | wall time |")
    print("| --- | ---: | ---: | ---: |")
    for name, (_, wall, least, work) in rows:
        print("| %s | %.3f s | %.3f s | %.3f s |" % (name, work, least, wall))
    ours, theirs = rows[0][1], rows[1][1]
    print("\nRatio, the first to the second: processor time **%.2f**, wall time **%.2f** "
          "(medians of %d runs).\n" % (ours[3] / theirs[3], ours[1] / theirs[1], runs), flush=True)
PYTHON
