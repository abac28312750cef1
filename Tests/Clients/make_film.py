# SPDX-License-Identifier: Apache-2.0
"""Makes a film of 5 min with a PGS track: a white bar below, at 1 to 2.5 s and at 7 to 10.5 s.

usage: make_film.py FILM.mkv
"""
import os
import struct
import subprocess
import sys
import tempfile

WIDTH, HEIGHT = 320, 180
WINDOW = bytes([1, 0]) + struct.pack(">HHHH", 80, 140, 160, 20)


def segment(kind: int, seconds: float, payload: bytes) -> bytes:
    """One segment with its header: times of 90 kHz, kind, length."""
    return b"PG" + struct.pack(">IIBH", int(seconds * 90000), 0, kind, len(payload)) + payload


def composition(state: int, objects: bytes) -> bytes:
    return (
        struct.pack(">HHBHBBB", WIDTH, HEIGHT, 0x10, 0, state, 0, 0)
        + bytes([len(objects) // 8])
        + objects
    )


def show(seconds: float) -> bytes:
    lines = bytes([0, 0xC0, 160, 1, 0, 0]) * 20
    data = struct.pack(">HB", 0, 0) + b"\xc0" + (len(lines) + 4).to_bytes(3, "big")
    data += struct.pack(">HH", 160, 20) + lines
    return b"".join(
        [
            segment(0x16, seconds, composition(0x80, struct.pack(">HBBHH", 0, 0, 0, 80, 140))),
            segment(0x17, seconds, WINDOW),
            segment(0x14, seconds, bytes([0, 0, 1, 235, 128, 128, 255])),
            segment(0x15, seconds, data),
            segment(0x80, seconds, b""),
        ]
    )


def clear(seconds: float) -> bytes:
    return b"".join(
        [
            segment(0x16, seconds, composition(0, b"")),
            segment(0x17, seconds, WINDOW),
            segment(0x80, seconds, b""),
        ]
    )


def main() -> None:
    film = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        track = os.path.join(folder, "bar.sup")
        with open(track, "wb") as file:
            file.write(show(1) + clear(2.5) + show(7) + clear(10.5))
        # Short clusters, since a reader that seeks begins at a cluster.
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-copyts", "-f", "lavfi"]
            + ["-i", f"color=0x606060:s={WIDTH}x{HEIGHT}:r=24:d=300", "-f", "lavfi"]
            + ["-i", "sine=d=300", "-i", track, "-map", "0:v", "-map", "1:a", "-map", "2:s"]
            + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "24"]
            + ["-c:a", "aac", "-c:s", "copy", "-metadata:s:s:0", "language=eng"]
            + ["-cluster_time_limit", "500", film],
            check=True,
        )


if __name__ == "__main__":
    main()
