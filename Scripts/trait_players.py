# SPDX-License-Identifier: Apache-2.0
"""What players of this machine draw of the suite of traits. Used by Scripts/traits.

Each player gets a film of one colour with the trait's own file, draws every frame without a screen, and
the frames at the manifest's times are compared with the pictures expected, laid over that colour.
Players run in a folder of their own, each under a time limit.
"""
import math
import os
import pathlib
import re
import shutil
import struct
import subprocess
import zlib

RATE = 20  # frames a second
LATE = 100  # seconds: a trait that begins later has a clock of its own
TIMEOUT = 60  # seconds a run may take
H264 = ["-c:v", "libx264", "-profile:v", "baseline", "-bf", "0", "-qp", "1"]
BACKGROUND = (0x60, 0x60, 0x60)


class CannotAsk(Exception):
    """The player cannot be given the trait as it is, for a reason that is a few words."""


class DrawsNothing(Exception):
    """The player ends without a frame."""


def read_png(path):
    """Width, height and rows of an 8-bit PNG picture; each pixel a tuple of its channels."""
    data = pathlib.Path(path).read_bytes()
    at, packed, header = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += size + 12
    width, height, depth, color = header[:4]
    if depth != 8 or color not in (2, 6) or header[6]:
        raise ValueError(f"{path}: not a picture of 8-bit RGB or RGBA")
    channels = 3 if color == 2 else 4
    raw, above, rows = zlib.decompress(packed), bytes(width * channels), []
    for line in range(height):
        start = line * (width * channels + 1)
        method, row = raw[start], bytearray(raw[start + 1:start + 1 + width * channels])
        for place in range(len(row)):
            left = row[place - channels] if place >= channels else 0
            up = above[place]
            corner = above[place - channels] if place >= channels else 0
            if method == 1:
                guess = left
            elif method == 2:
                guess = up
            elif method == 3:
                guess = (left + up) // 2
            elif method == 4:
                guess = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
            else:
                guess = 0
            row[place] = (row[place] + guess) & 255
        above = bytes(row)
        rows.append([tuple(row[x:x + channels]) for x in range(0, len(row), channels)])
    return width, height, rows


def expected(path):
    """A picture expected, laid over the film's colour."""
    width, height, rows = read_png(path)
    over = lambda pixel: tuple(
        round((pixel[part] * pixel[3] + BACKGROUND[part] * (255 - pixel[3])) / 255)
        for part in range(3))
    return width, height, [[over(pixel) for pixel in row] for row in rows]


def luma(pixel):
    """Y of BT.601 in limited range."""
    red, green, blue = pixel
    return round(16 + (65.481 * red + 128.553 * green + 24.966 * blue) / 255)


def color(width, height, length):
    """The filter that makes a film."""
    return "color=0x%02x%02x%02x" % BACKGROUND + f":s={width}x{height}:r={RATE}:d={length}"


def run(command, folder):
    """Runs a program; its messages."""
    try:
        done = subprocess.run(
            command, cwd=folder, timeout=TIMEOUT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except subprocess.TimeoutExpired:
        return f"no end within {TIMEOUT} s", 124
    return done.stdout.decode(errors="replace"), done.returncode


def first_line(command):
    text, _ = run(command, None)
    return text.splitlines()[0] if text else ""


class Player:
    """A player: how its frames are had, and how they are compared."""
    program, name, tolerance = "", "", 0
    attempts = 1  # runs of which one has to be right

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) / self.name
        self.folder.mkdir(parents=True)
        self.folder.chmod(0o777)  # for a player that runs as somebody else
        self.films = {}

    @classmethod
    def is_here(cls):
        return shutil.which(cls.program) is not None

    def film(self, trait, coding, least_height=0):
        """A film without loss in one colour, of the trait's canvas, clock and length."""
        width, height = trait["canvas"]["width"], max(trait["canvas"]["height"], least_height)
        start = self.start(trait)
        length = math.ceil(trait["expected"][-1]["time"] - start) + 2
        key = (width, height, start, length)
        if key not in self.films:
            path = self.folder / f"film-{len(self.films)}.mkv"
            text, status = run(
                ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", color(width, height, length), *coding,
                 "-output_ts_offset", str(start), "-avoid_negative_ts", "disabled", path.name],
                self.folder)
            if status:
                raise RuntimeError(f"ffmpeg makes no film: {text}")
            self.films[key] = path
        return self.films[key]

    @staticmethod
    def start(trait):
        """When the film begins: with the trait's first second if its clock is a late one."""
        first = trait["expected"][0]["time"]
        return first - 1 if first > LATE else 0

    def places(self, trait):
        """The frame of each look: the last one at or before its time."""
        start = self.start(trait)
        return [int((look["time"] - start) * RATE + 1e-6) for look in trait["expected"]]

    def frames(self, suite, trait):
        """The frames at the looks, as rows of pixels; more than the canvas may be there."""
        raise NotImplementedError

    def differs(self, seen, wanted):
        return any(abs(a - b) > self.tolerance for a, b in zip(seen, wanted))

    def wrong(self, suite, trait, frames, differs):
        """The times at which a frame is not as expected."""
        times = []
        for look, frame in zip(trait["expected"], frames):
            _, _, rows = expected(suite / look["picture"])
            if frame is None or any(
                    differs(line, row, place)
                    for row, line in zip(rows, frame) for place in range(len(row))):
                times.append(f"{round(look['time'], 3)}")
        return times

    def exactly(self, line, row, place):
        """Whether a pixel is not the one expected."""
        return self.differs(line[place], row[place])

    def excuse(self, suite, trait, frames):
        """What is wrong with pictures that are right otherwise; none by default."""
        return None

    def outcome(self, suite, trait):
        """A cell: what the player makes of a trait."""
        found = []
        for _ in range(self.attempts):
            try:
                frames = self.frames(suite, trait)
            except CannotAsk as reason:
                return f"cannot be asked: {reason}"
            except DrawsNothing:
                found.append("draws no frame")
                continue
            if frames is None:
                return "not read"
            times = self.wrong(suite, trait, frames, self.exactly)
            if not times:
                return "right"
            excuse = self.excuse(suite, trait, frames)
            if excuse:
                return excuse
            found.append("wrong at " + ", ".join(times) + " s")
        return min(found, key=len)


class MuxingPlayer(Player):
    """A player that needs the trait beside a film in one file, compared in luma.

    It draws in 4:2:0, whose chroma has a quarter of the pixels.
    """
    tolerance = 4

    @classmethod
    def is_here(cls):
        return all(map(shutil.which, (cls.program, "mkvmerge", "ffmpeg")))

    def differs(self, seen, wanted):
        return abs(seen - luma(wanted)) > self.tolerance

    def planes(self, data, width, height, trait):
        """The lines of luma at the looks, of frames of 4:2:0 one behind the other."""
        size = width * height
        whole = size + 2 * ((width + 1) // 2) * ((height + 1) // 2)
        result = []
        for place in self.places(trait):
            frame = data[place * whole:place * whole + size]
            result.append(
                [frame[at:at + width] for at in range(0, size, width)] if len(frame) == size else None)
        return result

    def payload(self, arguments):
        """All bytes of a subtitle track as libavformat reads it, one packet after the other."""
        done = subprocess.run(
            ["ffmpeg", "-v", "quiet", *arguments, "-c", "copy", "-f", "data", "-"], cwd=self.folder,
            timeout=TIMEOUT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False)
        return done.stdout

    def matroska(self, suite, trait, coding, least_height=0):
        """The trait beside a film in a Matroska file."""
        source = suite / trait["file"]
        film = self.film(trait, ["-pix_fmt", "yuv420p", *coding], least_height)
        output = self.folder / "trait.mkv"
        text, status = run(
            ["mkvmerge", "-q", "-o", output.name, film.name, "--subtitle-tracks", str(trait["track"]),
             str(source)], self.folder)
        if status > 1:
            raise CannotAsk("mkvmerge does not read the file")
        own = self.payload(["-i", str(source), "-map", f"0:s:{trait['track']}"])
        if own != self.payload(["-i", output.name, "-map", "0:s:0"]):
            raise CannotAsk("mkvmerge changes the packets")
        return output

    def transport(self, suite, trait):
        """The trait beside a film in a transport stream."""
        if not trait["file"].endswith(".ts"):
            raise CannotAsk("ffmpeg muxes no raw PES packets")
        size = trait["canvas"]
        length = math.ceil(trait["expected"][-1]["time"]) + 2
        output = self.folder / "trait.ts"
        text, status = run(
            ["ffmpeg", "-y", "-v", "error", "-f", "lavfi", "-i",
             color(size["width"], size["height"], length), "-i", str(suite / trait["file"]),
             "-map", "0", "-map", "1", *H264, "-pix_fmt", "yuv420p", "-c:s", "copy", "-copyts", "-muxdelay", "0",
             "-muxpreload", "0", output.name], self.folder)
        if status:
            raise CannotAsk("ffmpeg does not mux the stream")
        source = ["-i", str(suite / trait["file"]), "-map", "0:s:0"]
        if self.payload(source) != self.payload(["-i", output.name, "-map", "0:s:0"]):
            raise CannotAsk("ffmpeg changes the packets")
        return output


class MPV(Player):
    """mpv draws into PNG files, in RGB; the trait's file is an external subtitle file."""
    program, name, tolerance = "mpv", "mpv", 3
    way = "the file is given as an external one, frames are drawn in RGB (`--vo=image`)"

    @staticmethod
    def version():
        return " ".join(first_line(["mpv", "--version"]).split()[1:2])

    def frames(self, suite, trait):
        film = self.film(trait, ["-pix_fmt", "gbrp", "-c:v", "ffv1"])
        pictures = self.folder / "pictures"
        shutil.rmtree(pictures, ignore_errors=True)
        text, status = run(
            ["mpv", "--no-config", "--load-scripts=no", "--ao=null", "--vo=image",
             "--vo-image-format=png", "--vo-image-png-compression=0", f"--vo-image-outdir={pictures}",
             "--rebase-start-time=no", "--sub-auto=no", f"--sub-files={suite / trait['file']}",
             f"--sid={trait['track'] + 1}", "--msg-level=all=warn,cplayer=info", film.name],
            self.folder)
        if "external file" in text or "Failed to recognize" in text:
            return None
        files = sorted(pictures.glob("*.png")) if pictures.is_dir() else []
        if status or not files:
            raise DrawsNothing(f"mpv draws nothing of {trait['file']}: {text}")
        return [
            read_png(files[place])[2] if place < len(files) else None
            for place in self.places(trait)]


class GStreamer(MuxingPlayer):
    """GStreamer's dvdspu (PGS, VobSub) and dvbsuboverlay (DVB)."""
    program, name = "gst-launch-1.0", "GStreamer"
    way = (
        "`dvdspu` and `dvbsuboverlay` draw into 4:2:0 frames; PGS and VobSub come from Matroska files "
        "by mkvmerge, DVB from transport streams by ffmpeg")
    # The film is held back by five seconds, so that no frame comes before its subtitles: mkvmerge writes
    # these up to seconds behind it, and the elements do not wait.
    BEHIND = "queue max-size-time=0 max-size-buffers=0 max-size-bytes=0 min-threshold-buffers=100"
    RAW = "video/x-raw,format=I420"

    @staticmethod
    def version():
        return first_line(["gst-launch-1.0", "--version"]).split()[-1]

    def excuse(self, suite, trait, frames):
        """dvdspu draws all but the last column of a DVD picture, and red too dark."""
        if trait["format"] != "vobsub":
            return None

        def differs(line, row, place):
            is_bare = row[place] == BACKGROUND
            if not is_bare and (place + 1 == len(row) or row[place + 1] == BACKGROUND):
                return False
            return is_bare != (abs(line[place] - luma(BACKGROUND)) <= self.tolerance) \
                or abs(line[place] - luma(row[place])) > 36

        return None if self.wrong(suite, trait, frames, differs) else "right but for column and red"

    def frames(self, suite, trait):
        if trait["format"] == "xsub":
            raise CannotAsk("it has no decoder of XSUB")
        if self.start(trait):
            raise CannotAsk("the clock begins too late")
        output = self.folder / "frames.raw"
        output.unlink(missing_ok=True)
        width, height = trait["canvas"]["width"], trait["canvas"]["height"]
        if trait["format"] == "dvb":
            film = self.transport(suite, trait)
            way = (f"tsdemux name=d d. ! h264parse ! openh264dec ! videoconvert ! {self.RAW} ! "
                   "dvbsuboverlay name=o")
            track = "d. ! subpicture/x-dvb ! o.text_sink"
        else:
            # dvdspu takes no film of fewer lines.
            height = max(height, 16)
            film = self.matroska(suite, trait, ["-c:v", "rawvideo"], least_height=height)
            way = (f"matroskademux name=d d.video_0 ! {self.BEHIND} ! videoconvert ! {self.RAW} ! "
                   "dvdspu name=o")
            track = "d.subtitle_0 ! o.subpicture"
        text, _ = run(
            ["gst-launch-1.0", "-q", *f"filesrc location={film.name} ! {way} ! {self.RAW} ! "
             f"filesink location={output.name} {track}".split()], self.folder)
        data = output.read_bytes() if output.exists() else b""
        if not data:
            raise DrawsNothing(f"GStreamer draws nothing of {trait['file']}: {text[-400:]}")
        return self.planes(data, width, height, trait)


class VLC(MuxingPlayer):
    """VLC transcodes with the subtitles drawn in; as root, which it refuses, as nobody."""
    program, name = "cvlc", "VLC"
    attempts = 3  # its threads race in a transcode, and a busy machine's frames come without pictures
    way = (
        "a transcode to 4:2:0 frames with `soverlay`; .idx files are given as external ones, PGS comes "
        "from Matroska files by mkvmerge, DVB from transport streams by ffmpeg")

    @staticmethod
    def user():
        return ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"] \
            if os.geteuid() == 0 else []

    @classmethod
    def version(cls):
        found = re.search(r"VLC (?:version )?(\d[\d.]*)", run([*cls.user(), "cvlc", "--version"], None)[0])
        return found.group(1) if found else "of unknown version"

    def frames(self, suite, trait):
        if trait["format"] == "xsub":
            raise CannotAsk("XSUB would need an AVI file with a film")
        if self.start(trait):
            raise CannotAsk("the clock begins too late")
        if trait["file"].endswith(".idx"):
            film = self.film(trait, ["-pix_fmt", "yuv420p", *H264])
            # VLC lists tracks anew for the external file.
            track = [f"--sub-file={suite / trait['file']}", f"--sub-track={trait['track']}"]
        else:
            track = ["--sub-track=0"]
            film = self.transport(suite, trait) if trait["format"] == "dvb" \
                else self.matroska(suite, trait, H264)
        output = self.folder / "frames.avi"
        output.unlink(missing_ok=True)
        text, _ = run(
            [*self.user(), "env", f"HOME={self.folder}", "cvlc", "-I", "dummy", "--no-audio", "--quiet",
             "--play-and-exit", "--no-sub-autodetect-file", film.name, *track, "--sout",
             f"#transcode{{vcodec=I420,soverlay,fps={RATE}}}:"
             f"std{{access=file,mux=avi,dst={output}}}"], self.folder)
        # The file's head states another size than its frames have.
        data = self.payload(["-i", output.name, "-map", "0:v"]) if output.exists() else b""
        if not data:
            raise DrawsNothing(f"VLC draws nothing of {trait['file']}: {text[-400:]}")
        return self.planes(data, trait["canvas"]["width"], trait["canvas"]["height"], trait)


ALL = [MPV, GStreamer, VLC]
