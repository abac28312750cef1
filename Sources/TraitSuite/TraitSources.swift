// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

extension StreamTrait {
  /// Where the behaviour comes from: a clause of a standard, or reports of files that players show
  /// wrongly, named by repository and number.
  package var source: String {
    Self.sources[codec]?.last { name.hasPrefix($0.prefix) }?.text ?? Self.general[codec] ?? ""
  }

  private static let general: [SubtitleCodec: String] = [
    .pgs: "US 2009/0185789 A1, composition and object definition segments",
    .vobsub: "mpucoder.com/DVD/spu.html: sub-picture units, their control sequences and commands",
    .dvb: "ETSI EN 300 743, clause 7.2",
    .xsub: "packets of DivX files: text times, geometry, palette, two fields of run-length codes",
  ]

  private typealias Note = (prefix: String, text: String)

  /// By the beginning of the trait's name; the last that fits counts.
  private static let sources: [SubtitleCodec: [Note]] = [
    .pgs: pgsNotes, .vobsub: vobsubNotes, .dvb: dvbNotes, .xsub: xsubNotes,
  ]

  private static let pgsNotes: [Note] = [
    ("01", "US 2009/0185789 A1: a composition without objects clears the screen"),
    (
      "02",
      "US 2009/0185789 A1, palette_update_flag; SubtitleEdit#7436, SUPer#9: a fade is sent as palettes"
    ),
    ("03", "US 2009/0185789 A1: a palette may set some entries and keep the others"),
    (
      "04",
      "AetherEngine#142: an epoch-continue set without segments; contestable, the standard is not public"
    ),
    ("05", "US 2009/0185789 A1: a normal case may refer to objects of its epoch"),
    ("06", "US 2009/0185789 A1, object_cropped_flag and the cropping rectangle"),
    ("07", "androidx/media#2534, pgs-to-srt#231: two composition objects, a sign and a dialogue"),
    ("08", "US 2009/0185789 A1: the composition lists all that is shown"),
    (
      "09",
      "AetherEngine#112: converters drop END segments; contestable, the standard is not public"
    ),
    ("10", "mpv#12327: the end is known from the next set only; here there is none"),
    ("11", "SubtitleEdit#7167: an object that reaches past the canvas"),
    (
      "12",
      "US 2009/0185789 A1: graphics are drawn inside windows; contestable, the standard is not public"
    ),
    (
      "13",
      "rows of run-length codes that do not fill the width; contestable, the standard is not public"
    ),
    ("14", "US 2009/0185789 A1: an object sent again with another version replaces the old one"),
    (
      "15",
      "SubtitleEdit#5869: indices without a palette entry are transparent, and an epoch start forgets"
    ),
    (
      "16",
      "subtile-ocr#2, macSubtitleOCR#30: an object over several segments, joined by sequence flags"
    ),
    ("17", "US 2009/0185789 A1 allows two objects; files with more exist"),
    ("18", "BDSup2SubPlusPlus#21: a palette segment of two bytes"),
    ("19", "AetherEngine#142: a set whose palette is undefined still ends the cue before"),
    ("20", "AetherEngine#112: a composition that names an object never sent"),
    ("21", "US 2009/0185789 A1, acquisition points; AetherEngine#143: decoding may begin there"),
    (
      "22",
      "US 2009/0185789 A1: alpha 0 shows what is below; contestable, the standard is not public"
    ),
    ("23", "SubtitleEdit#7167: an object that lies wholly beyond the canvas"),
    ("24", "the header of .sup files has 32 bits of a 90 kHz clock, which wraps after 13 h 15 min"),
    (
      "a set in several packets",
      "AetherEngine#112: a display set over several packets, the first with the time"
    ),
    (
      "a set whose first packet",
      "AetherEngine#112: a display set over several packets, some without time"
    ),
    (
      "the container's durations",
      "mkvtoolnix#1878: Matroska with durations and without clearing sets"
    ),
    ("a clear goes before", "mkvtoolnix#1878: a clear and a duration that differ"),
    ("each segment", "mpv#3016: each segment a block of its own, without duration"),
    ("the decoding time", "xbmc PR#1458: the time of decoding taken for that of presentation"),
    ("steps a film frame", "mpv#12760: times rounded to frames lose steps of animations"),
    ("the first cue comes late", "SubtitleEdit PR#15090: times counted from the first cue"),
    ("blocks are compressed", "SubtitleEdit#2566, androidx/media#3211: packets that begin with 78"),
    ("chained sets", "SubtitleEdit#3119: word by word builds without clears between"),
    ("a clear lies between", "AetherEngine#204: a line cleared comes back after a jump"),
  ]

  private static let vobsubNotes: [Note] = [
    (
      "v02",
      "subtile-ocr#1, vobsubocr#24: an index without palette; greys are guessed from the contrasts"
    ),
    ("v03", "mjuhasz/BDSup2Sub#3: later control sequences change the contrast"),
    ("v04", "mjuhasz/BDSup2Sub#3: later control sequences change the colours"),
    ("v05", "SPU, STP_DSP missing: the picture lasts to the next unit"),
    ("v06", "SPU, CHG_COLCON: colours by line and column"),
    ("v07", "SPU, FSTA_DSP: a forced start is a start"),
    ("v08", "SPU, PXD: rows are padded to whole bytes, fields have different heights"),
    ("v09", "SPU, PXD: a picture of one row has an empty second field"),
    ("v10", "mpv#7218: a size in the index that the pictures do not fit; the canvas grows"),
    ("v11", "SubtitleEdit#6991: custom colours of the index replace those of the stream"),
    ("v12", "mkvtoolnix#1810: delay lines of the index are added to the times that follow"),
    ("v13", "HandBrake#7836, mpv#14276: the index's canvas is not the film's size"),
    ("v14", "ISO/IEC 13818-1, 2.4.3: a unit over several packets, only the first with a time"),
    ("v15", "SPU, SP_DCSQ_STM: a start command with a date"),
    ("v16", "SPU, SET_CONTR: all contrasts 0 clear the screen"),
    ("v17", "idx: several streams in one .sub file"),
    ("v18", "SPU, SET_CONTR: contrast of 8 in 15"),
    ("the bottom field", "macSubtitleOCR#21: fields in the other order; their addresses tell"),
    ("an index without langidx", "mkvtoolnix#1810, #2076: no track of the index is on by default"),
    (
      "the private data alone",
      "RFC 9559, ContentEncodingScope 2; AimesSoft/Erika PR#21: the private data alone are packed"
    ),
    (
      "the decisive commands",
      "androidx/media#2935: what matters stands in the last control sequence"
    ),
    ("the container's duration", "mkvtoolnix#1771: the container and the stop command differ"),
    ("the index's alpha", "idx, alpha: opacity of all pictures"),
    ("the index's origin", "idx, org: added to every place"),
    ("the index's scale", "idx, scale: in percent, from the upper-left corner (DirectVobSub)"),
    (
      "the index's alignment",
      "idx, align: placed relative to org in place of the unit's own; DirectVobSub draws so"
    ),
    (
      "the index's fade",
      "idx, fadein/out: 50, 50 in every ripped file; contestable, read by players and drawn by none"
    ),
    (
      "the index's smoothing",
      "idx, smooth: how a player enlarges; contestable, the picture has its own pixels here"
    ),
    (
      "the index asks",
      "idx, forced subs; mpv#6006: contestable, what is shown is the viewer's choice, flags tell"
    ),
    (
      "a time offset",
      "idx, time offset: for all times; contestable, DirectVobSub heeds delay alone"
    ),
    ("a time before", "mkvtoolnix#1810, SubtitleEdit#3650: times below zero in the index"),
  ]

  private static let dvbNotes: [Note] = [
    ("a page", "EN 300 743, 7.2.2"),
    ("the time-out", "EN 300 743, 7.2.2, page_time_out; SubtitleEdit#1728"),
    ("the next page", "EN 300 743, 7.2.2; kingslay/KSPlayer#139"),
    ("the same page", "EN 300 743, 7.2.2, acquisition point"),
    ("a normal case", "EN 300 743, 7.2.2, normal case"),
    ("a mode change", "EN 300 743, 7.2.2, mode change"),
    ("sets without", "EN 300 743, 7.2.6: streams older than the end segment"),
    ("another page", "EN 300 743, 8.2; ExoPlayer pull request 1781: two services on one PID"),
    ("no page is named", "EN 300 743, 8.2"),
    ("objects of the ancillary", "EN 300 743, 5.1 and 8.2"),
    ("the clock of 33 bits", "ISO/IEC 13818-1, 2.4.3.7; mkvtoolnix#2140: durations of 95445 s"),
    ("a region", "EN 300 743, 7.2.3"),
    ("two regions", "EN 300 743, 7.2.2; ua0lnj/softhddevice#49: two lines, then one"),
    ("an object", "EN 300 743, 7.2.3"),
    ("a colour that", "EN 300 743, 7.2.5, non_modifying_colour_flag"),
    ("default colours", "EN 300 743, clause 10"),
    ("2 bits by", "EN 300 743, 7.2.5.1 and 10.4"),
    ("4 bits by", "EN 300 743, 7.2.5.1 and 10.6"),
    ("codes of 8 bits", "ExoPlayer#2957: codes of 8 bits in a region of 2"),
    ("colours of the reduced", "EN 300 743, 7.2.4, full_range_flag"),
    ("colours change", "EN 300 743, 7.2.4"),
    ("a string", "EN 300 743, 7.2.5.2: end_of_string_signal of 8-bit strings"),
    ("map tables", "EN 300 743, 7.2.5.1, map tables"),
    ("characters", "EN 300 743, 7.2.5, character objects"),
    ("an empty bottom", "EN 300 743, 7.2.5, bottom_field_data_block_length"),
    ("an unknown", "EN 300 743, 7.2.5.1, table of data types"),
    ("a window", "EN 300 743, 7.2.1, display window"),
    ("no display", "EN 300 743, 7.2.1; xbmc pull request 7878: 720x576 without a definition"),
    ("the display changes", "EN 300 743, 7.2.1"),
  ]

  private static let xsubNotes: [Note] = [
    ("DXSA", "DivX files tagged DXSA: four bytes of alpha behind the palette"),
    ("DXSB", "DivX files tagged DXSB: the first colour is transparent"),
    ("the second field", "encoders write a bogus offset of the second field"),
  ]
}
