// SPDX-License-Identifier: Apache-2.0
import ReferenceServer
import Testing

struct EncoderArgumentsTests {
  private func arguments(
    _ query: String, version: String = "10.11.11", film: Film = Fixtures.probed(),
    faults: [Fault] = [], start: Int = 0, number: Int = 0, size: Int? = nil
  ) throws -> [String] {
    var configuration = Fixtures.configuration(version, faults: faults)
    configuration.maximumHeight = size
    let request = ServerRequest(method: "GET", target: "/x?VideoCodec=h264&" + query)
    let plan = try #require(
      StreamPlan(request: request, film: film, configuration: configuration))
    return EncoderArguments(plan: plan, startTicks: start, startNumber: number, folder: "/t").list
  }

  /// The word behind an option; nil if the option is not there.
  private func value(_ option: String, in list: [String]) -> String? {
    list.firstIndex(of: option).map { list[$0 + 1] }
  }

  private static let burn = "SubtitleStreamIndex=2&SubtitleMethod=Encode"

  @Test(arguments: [
    ("10.11.11", 1920, 1080, "scale,scale=1920:1080:fast_bilinear"),
    ("10.8.13", 1920, 1080, "scale=1920:1080:fast_bilinear"),
    (
      "10.9.11", 1920, 1080,
      "scale,scale=-1:1080:fast_bilinear,crop,pad=max(1920\\,iw):max(1080\\,ih):(ow-iw)/2:(oh-ih)/2:black@0,crop=1920:1080"
    ),
    (
      "10.10.7", 720, 576,
      "scale,scale=-1:1080:fast_bilinear,crop,pad=max(1920\\,iw):max(1080\\,ih):(ow-iw)/2:(oh-ih)/2:black@0,crop=1920:1080"
    ),
  ])
  func `a track is laid out as the version does`(
    version: String, width: Int, height: Int, chain: String
  ) throws {
    let film = Fixtures.probed([Fixtures.subtitle(2, size: (width, height))])
    let list = try arguments(Self.burn, version: version, film: film)
    let overlay: String
    switch version {
    case "10.8.13": overlay = "overlay=eof_action=endall:shortest=1:repeatlast=0"
    case "10.9.11": overlay = "overlay=eof_action=pass"
    default: overlay = "overlay=eof_action=pass:repeatlast=0"
    }
    #expect(
      value("-filter_complex", in: list)
        == "[0:2]\(chain)[sub];[0:0]format=yuv420p[main];[main][sub]\(overlay)")
    #expect(value("-canvas_size", in: list) == "\(width)x\(height)")
    #expect(list.contains("-start_at_zero"))
  }

  @Test func `a stale index encodes and draws nothing`() throws {
    let list = try arguments("SubtitleStreamIndex=99&SubtitleMethod=Encode")
    #expect(value("-codec:v:0", in: list) == "libx264")
    #expect(!list.contains("-filter_complex"))
    #expect(!list.contains("-start_at_zero"))
  }

  @Test(arguments: [("10.9.11", "libx264"), ("10.10.7", "copy")])
  func `an index without a method burns in until 10 9 only`(version: String, codec: String) throws {
    let list = try arguments("SubtitleStreamIndex=2", version: version)
    #expect(value("-codec:v:0", in: list) == codec)
    #expect(list.contains("-filter_complex") == (codec == "libx264"))
  }

  @Test func `always burning in draws only where the video is encoded anyway`() throws {
    let always = "SubtitleStreamIndex=2&alwaysBurnInSubtitleWhenTranscoding=true"
    #expect(try value("-codec:v:0", in: arguments(always)) == "copy")
    let encoded = try arguments(always + "&allowVideoStreamCopy=false")
    #expect(encoded.contains("-filter_complex"))
  }

  @Test func `DVB has no canvas and its own marks`() throws {
    let film = Fixtures.probed([Fixtures.subtitle(2, "dvb_subtitle", size: (720, 576))])
    #expect(try !arguments(Self.burn, film: film).contains("-canvas_size"))
  }

  @Test(arguments: [
    ("ts", "10.11.11", "00:07:12.432", false), ("mp4", "10.11.11", "00:07:12.432", true),
    ("mp4", "12.0.0", "00:07:12.432", false),
  ])
  func `a later segment seeks to its ticks`(
    container: String, version: String, time: String, isInaccurate: Bool
  ) throws {
    var film = Fixtures.probed()
    film.durationTicks = 36_000_000_000
    let list = try arguments(
      Self.burn + "&SegmentContainer=" + container, version: version, film: film,
      start: 4_324_320_000, number: 144)
    #expect(value("-ss", in: list) == time)
    #expect(list.contains("-noaccurate_seek") == isInaccurate)
    #expect(value("-start_number", in: list) == "144")
    #expect(value("-hls_segment_filename", in: list) == "/t/%d.\(container)")
    #expect(value("-hls_segment_type", in: list) == (container == "ts" ? "mpegts" : "fmp4"))
  }

  @Test func `nobody seeks into the last five seconds`() throws {
    let list = try arguments(Self.burn, start: 590_000_000, number: 19)
    #expect(value("-ss", in: list) == "00:00:55.000")
  }

  @Test(arguments: [
    ("", 480, "scale=852:480"), ("MaxWidth=1280", nil, "scale=1280:720"),
    ("MaxWidth=1001", nil, "scale=1000:562"), ("VideoBitrate=2000000", nil, "scale=720:404"),
    ("VideoBitrate=8000000", nil, nil), ("MaxHeight=4000", nil, nil),
    ("MaxWidth=-5", nil, "scale=2:2"),
  ])
  func `the picture fits its limits with even sides`(
    limits: String, size: Int?, scale: String?
  ) throws {
    let list = try arguments(
      "SubtitleStreamIndex=99&SubtitleMethod=Encode&" + limits, size: size)
    #expect(value("-vf", in: list) == (scale.map { $0 + "," } ?? "") + "format=yuv420p")
  }

  @Test(
    arguments: [
      (Fault.ignoreSubtitle, nil),
      (
        .wrongTrack(3),
        "[0:3]scale,scale=1920:1080:fast_bilinear[sub];[0:0]format=yuv420p[main];[main][sub]overlay=eof_action=pass:repeatlast=0"
      ),
      (
        .shift(x: -3, y: 20),
        "[0:2]scale,scale=1920:1080:fast_bilinear[sub];[0:0]format=yuv420p[main];[main][sub]overlay=eof_action=pass:repeatlast=0:x=-3:y=20"
      ),
      (
        .partial(4.5),
        "[0:2]scale,scale=1920:1080:fast_bilinear[sub];[0:0]format=yuv420p[main];[main][sub]overlay=eof_action=pass:repeatlast=0:enable=lt(t\\,4.5)"
      ),
      (.copyVideo, nil),
    ] as [(Fault, String?)])
  func `faults change the graph`(fault: Fault, graph: String?) throws {
    let film = Fixtures.probed([Fixtures.subtitle(2), Fixtures.subtitle(3)])
    let list = try arguments(Self.burn, film: film, faults: [fault])
    #expect(value("-filter_complex", in: list) == graph)
    #expect(value("-codec:v:0", in: list) == (fault == .copyVideo ? "copy" : "libx264"))
  }

  @Test(arguments: [
    ("ignore-subtitle", Fault.ignoreSubtitle), ("wrong-track=3", .wrongTrack(3)),
    ("delay=-0.5", .delay(-0.5)), ("shift=10,-20", .shift(x: 10, y: -20)),
    ("copy-video", .copyVideo), ("stale-segments", .staleSegments),
    ("missing-segment=4", .missingSegment(4)),
    ("error=/Items:500", .error(prefix: "/Items", status: 500)),
    ("dim=0.5", .dim(0.5)), ("partial=4", .partial(4)),
  ])
  func `faults are read from their names`(text: String, fault: Fault) throws {
    #expect(try Fault(text) == fault)
  }

  @Test(arguments: [
    ("delay", "delay=SECONDS:"), ("delay=", "delay=SECONDS:"), ("delay=nan", "delay=SECONDS:"),
    ("delay=inf", "delay=SECONDS:"), ("shift=1", "shift=X,Y:"), ("shift=1,2,3", "shift=X,Y:"),
    ("wrong-track=-1", "wrong-track=N:"), ("copy-video=1", "copy-video:"),
    ("dim=2", "dim=PART:"), ("missing-segment=x", "missing-segment=N:"),
    ("error=Items:500", "error=PREFIX:STATUS:"), ("error=/Items:9", "error=PREFIX:STATUS:"),
    ("burn-in-answer=x", "burn-in-answer=KIND:"),
  ])
  func `a fault whose value does not fit is refused with its form`(text: String, form: String) {
    let error = #expect(throws: ReferenceServerError.self) { try Fault(text) }
    #expect(error?.description.contains("'\(text)' does not fit; it is written \(form)") == true)
  }

  @Test(arguments: ["", "nonsense", "nonsense=1", "=3"])
  func `an unknown fault is refused with the names`(text: String) {
    let error = #expect(throws: ReferenceServerError.self) { try Fault(text) }
    #expect(error?.description.contains("ignore-subtitle, wrong-track=N") == true)
  }

  @Test(arguments: [
    ("10.8.13", true), ("10.11", true), ("12.0.0", true), ("10.7.7", false), ("4.9.5.0", false),
    ("x", false), ("10", false), ("10.11.x", false), ("11.0.0", false),
  ])
  func `versions are known or refused`(text: String, isKnown: Bool) {
    #expect((ServerVersion(text) != nil) == isKnown)
  }
}
