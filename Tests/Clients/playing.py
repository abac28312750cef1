# SPDX-License-Identifier: Apache-2.0
"""What the three clients have in common: following a TranscodingUrl and looking at the picture."""
import subprocess
import sys
import urllib.request

USER = PASSWORD = "burnscope"
DEVICE = "clients-check-01"

# Nothing may be played as it is, and no subtitle format is declared: every track is burned in.
PROFILE = {
    "MaxStreamingBitrate": 100000000,
    "DirectPlayProfiles": [],
    "TranscodingProfiles": [
        {
            "Type": "Video",
            "Context": "Streaming",
            "Protocol": "hls",
            "Container": "ts",
            "VideoCodec": "h264",
            "AudioCodec": "aac",
        }
    ],
    "SubtitleProfiles": [],
}


def check(condition: object, message: str) -> None:
    """Ends the check with a sentence if something is not as it should be."""
    if not condition:
        sys.exit(f"Error: {message}")


def get(url: str) -> bytes:
    """The bytes behind an address, whose query holds the token."""
    with urllib.request.urlopen(url, timeout=60) as answer:
        check(answer.status in (200, 206), f"status {answer.status}")
        return answer.read()


def lines(playlist: bytes) -> list[str]:
    """The addresses of a playlist."""
    return [line for line in playlist.decode().splitlines() if line and line[0] != "#"]


def segments(address: str, transcoding_url: str) -> list[str]:
    """The addresses of all segments, by way of both playlists."""
    base = address + transcoding_url[: transcoding_url.index("master.m3u8")]
    main = lines(get(address + transcoding_url))[0]
    return [base + line for line in lines(get(base + main))]


def luma(segment: bytes) -> list[int]:
    """For each frame the mean luma where the bar of the film is drawn."""
    frames = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", "pipe:0", "-vf", "crop=160:20:80:140", "-f", "rawvideo"]
        + ["-pix_fmt", "gray", "pipe:1"],
        input=segment,
        capture_output=True,
        check=True,
    ).stdout
    size = 160 * 20
    return [sum(frames[at : at + size]) // size for at in range(0, len(frames), size)]


def play(address: str, transcoding_url: str, meanwhile=lambda: None) -> None:
    """Fetches the first and a later segment and looks for the bar in both.

    Calls `meanwhile` while the server goes on encoding.
    """
    check(transcoding_url.count("SubtitleMethod=Encode") == 1, "the track is not to be burned in")
    found = segments(address, transcoding_url)
    # The sound is a little longer than 5 min.
    check(len(found) == 101, f"{len(found)} segments instead of 101")
    first = get(found[0])
    meanwhile()
    check(len(first) % 188 == 0 and first[0] == 0x47, "the segment is no MPEG-TS")
    values = luma(first)
    # 24 frames a second, the bar from 1 to 2.5 s; white is far above the grey of the film.
    check(values[8] < 150 < 180 < values[40], f"the bar is not drawn in {values}")
    check(values[-1] < 150, "the bar does not go")
    # Segment 2 begins at 6 s, the bar comes at 7 s.
    later = luma(get(found[2]))
    check(later[8] < 150 < 180 < later[40], f"the bar is not drawn after a jump in {later}")
