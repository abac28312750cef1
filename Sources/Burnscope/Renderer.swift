// SPDX-License-Identifier: Apache-2.0
internal import Compositing
public import MediaContainer
internal import SubtitleFormats
public import SubtitleModel

/// Renders the cues of one bitmap track as a server would burn them in.
///
/// The track is decoded by libavcodec, the decoder of the usual servers. Not for use by two threads
/// at once; calls block while they read.
public final class Renderer {
  /// The file.
  public let path: String
  /// What the container says of itself.
  public let media: MediaDescription
  /// The track with all its cues.
  public let track: DecodedTrack
  /// The canvas that cues are drawn on which state none of their own.
  public let canvas: Canvas
  /// Which decoder made the cues.
  public let decoder: DecoderChoice
  let cancellation: CancellationFlag?
  private var film: VideoFrameReader?
  /// Finds the picture of a time where the track is not decoded as a whole.
  private let moments: Moments?

  /// What decodes a track for single times.
  private struct Moments {
    let track: NativeTrack
    let access: RandomAccess
  }

  /// Opens a file and decodes one of its tracks.
  ///
  /// - Parameters:
  ///   - path: A local media file; for VobSub the `.idx` file.
  ///   - selector: The track.
  ///   - decoder: Which decoder makes the cues.
  ///   - isForMoments: Whether only pictures of single times are wanted: then our own decoder begins
  ///     near each, and the track has no list of cues.
  ///   - separatesSteps: Whether our own decoder gives each step of a fade as a cue of its own.
  ///   - cancellation: Ends the work early, with `CancellationError`.
  ///   - progress: Called now and then with the part of the file that is read, 0 to 1.
  /// - Throws: `MediaError` if the file cannot be read or has no such bitmap track.
  public init(
    path: String, track selector: TrackSelector, decoder: DecoderChoice = .libavcodec,
    isForMoments: Bool = false, separatesSteps: Bool = false,
    cancellation: CancellationFlag? = nil, progress: ((Double) -> Void)? = nil
  ) throws {
    self.path = path
    self.decoder = decoder
    self.cancellation = cancellation
    switch decoder {
    case .libavcodec:
      let reader = try MediaReader(path: path, cancellation: cancellation)
      let description = try selector.find(in: reader.description, name: path)
      guard
        let track = try reader.decodeTracks([description.streamIndex], progress: progress).first
      else { throw Self.undecoded(path, selector) }
      self.track = track
      media = reader.description
      moments = nil
    case .native:
      let file = try NativeTracks(path: path, cancellation: cancellation)
      let description = try selector.find(in: file.media, name: path)
      guard let native = try file.read([description], progress: progress).first else {
        throw Self.undecoded(path, selector)
      }
      media = file.media
      if isForMoments {
        moments = Moments(track: native, access: try native.randomAccess())
        track = DecodedTrack(
          description: description, canvas: try native.firstCanvas(), cues: [],
          diagnostics: native.containerFaults)
      } else {
        moments = nil
        track = try native.decodedTrack(
          separatesSteps: separatesSteps, cancellation: cancellation)
      }
    }
    let canvas = track.canvas(fallingBackTo: media.video)
    self.canvas =
      track.canvas == nil && media.video == nil
      ? canvas.assumed(toHold: track.cues) : canvas
  }

  private static func undecoded(_ path: String, _ selector: TrackSelector) -> MediaError {
    MediaError(.noSuchStream, "\(path): track \(selector) could not be decoded")
  }

  /// What the user should know of the track before looking at its pictures, one sentence each.
  public var warnings: [String] {
    var warnings = track.diagnostics
    if track.canvas == nil {
      let alone = track.canvas(fallingBackTo: media.video)
      warnings.append(
        canvas == alone
          ? "\(path): the track states no canvas; \(canvas) is assumed, as FFmpeg does."
          : "\(path): the track states no canvas; \(canvas) is assumed, since its cues reach past "
            + "FFmpeg's \(alone).")
    }
    if track.cues.isEmpty, moments == nil { warnings.append("\(path): the track has no pictures.") }
    return warnings
  }

  /// The cue on screen at a time; nil if there is none.
  ///
  /// - Throws: `MediaError` if the track was opened for single times and cannot be decoded there.
  public func cue(at time: Timestamp) throws -> Cue? {
    guard let moments else { return track.cues.last { $0.start <= time && time < $0.end } }
    return try moments.track.cue(at: time, by: moments.access)
  }

  /// The first cue that starts after a time; nil if there is none.
  ///
  /// - Throws: `MediaError` if the track was opened for single times and cannot be decoded.
  public func nextCue(after time: Timestamp) throws -> Cue? {
    let cues =
      try moments?.track.decodedTrack(separatesSteps: false, cancellation: cancellation).cues
      ?? track.cues
    return cues.first { $0.start > time }
  }

  /// The canvas that a cue is drawn on.
  public func canvas(of cue: Cue?) -> Canvas { cue?.canvas ?? canvas }

  /// The frame's size with some options.
  ///
  /// - Parameters:
  ///   - options: How to render.
  ///   - cue: The cue that is drawn, which may have a canvas of its own; nil for none.
  /// - Returns: The size.
  public func frameSize(_ options: RenderOptions, for cue: Cue? = nil) -> Canvas {
    let canvas = canvas(of: cue)
    let video = media.video.map { Canvas(width: $0.width, height: $0.height) }
    let layout = options.effectiveLayout
    if options.background != .video && layout == .plain { return options.size ?? canvas }
    let size = options.size ?? video ?? canvas
    // Servers only make pictures of even size.
    return layout == .plain
      ? size : Canvas(width: max(2, size.width & ~1), height: max(2, size.height & ~1))
  }

  /// Renders what is on screen at a time.
  ///
  /// On a video background it is the first frame at or after the time, or the last one of the film,
  /// with the cue that is on screen at that frame's time.
  ///
  /// - Parameters:
  ///   - time: A time of the film.
  ///   - options: How to render.
  /// - Returns: The picture, which is empty where no cue is on screen.
  /// - Throws: `MediaError` of kind `.noVideo` without a film to draw on, `.invalidRequest` for a
  ///   time past its end; `CompositingFault` for sizes that cannot be drawn; `CancellationError`.
  public func picture(at time: Timestamp, options: RenderOptions) throws -> RenderedPicture {
    if options.background == .video {
      let frame = try frame(atOrAfter: time)
      return try draw(try cue(at: frame.time), on: frame, time: frame.time, options: options)
    }
    return try draw(try cue(at: time), on: nil, time: time, options: options)
  }

  /// Renders one cue.
  ///
  /// On a video background it is drawn on the first frame at or after its start.
  ///
  /// - Parameters:
  ///   - cue: A cue of the track.
  ///   - options: How to render.
  /// - Returns: The picture.
  /// - Throws: As ``picture(at:options:)``.
  public func picture(of cue: Cue, options: RenderOptions) throws -> RenderedPicture {
    if options.background == .video {
      let frame = try frame(atOrAfter: cue.start)
      return try draw(cue, on: frame, time: frame.time, options: options)
    }
    return try draw(cue, on: nil, time: cue.start, options: options)
  }

  private func draw(
    _ cue: Cue?, on frame: PlanarFrame?, time: Timestamp, options: RenderOptions
  ) throws -> RenderedPicture {
    try checkCancellation()
    let size = frameSize(options, for: cue)
    let canvas = canvas(of: cue)
    let layout = options.effectiveLayout
    let steps = layout.arrangement(canvas: canvas, frame: size)
    var picture = RenderedPicture(
      bitmap: RGBABitmap(width: 0, height: 0, bytes: []), planes: nil, cue: cue, time: time,
      placement: layout.placement(canvas: canvas, frame: size), layout: layout, leftOut: [])
    if let cue, options.habit == .server { picture.leftOut = cue.objectsLeftOut(on: canvas) }
    let drawn = try cue.map { try $0.picture(on: canvas, habit: options.habit) }
    if let frame, let video = media.video {
      var planes = try RenderScaling.scaled(frame, to: size)
      let tagged = VideoMatrix.ofVideo(tag: video.colorMatrix, height: video.height)
      if let drawn {
        let matrix = options.colors == .server ? .bt601 : tagged
        planes.blend(try RenderScaling.planar(drawn, by: steps, matrix: matrix), by: steps)
      }
      picture.bitmap = try RenderScaling.rgba(planes, matrix: tagged)
      picture.planes = planes
      return picture
    }
    var bitmap = try RGBABitmap.blank(size, options.background)
    if let drawn {
      let scaled = try RenderScaling.rgba(drawn, by: steps)
      bitmap.composite(scaled, x: steps.originX, y: steps.originY, kept: steps.kept)
    }
    picture.bitmap = bitmap
    return picture
  }

  private func checkCancellation() throws {
    if cancellation?.isCancelled == true { throw CancellationError() }
  }

  /// The first video frame at or after a time, or the last frame if the time is still within it.
  private func frame(atOrAfter time: Timestamp) throws -> PlanarFrame {
    guard let video = media.video else {
      throw MediaError(.noVideo, "\(path): there is no video to draw on")
    }
    let reader: VideoFrameReader
    if let film {
      reader = film
    } else {
      reader = try VideoFrameReader(
        source: LocalFile(path: path), cancellation: cancellation)
      film = reader
    }
    try reader.seek(to: time)
    if let frame = try reader.nextFrame(atOrAfter: time) { return frame }
    // Nothing that late: is the time still within the last frame?
    try reader.seek(to: time)
    var last: PlanarFrame?
    while let frame = try reader.nextFrame() {
      try checkCancellation()
      last = frame
    }
    // Two frames' time of grace: the last frame is on screen for one, and times are rounded.
    let grace = Timestamp(seconds: 2 / max(1, video.frameRate ?? 24))
    if let last, time - last.time <= grace { return last }
    let end = last.map { "the last frame is at \($0.time)" } ?? "no frame follows"
    throw MediaError(
      .invalidRequest, "\(path): there is no video frame at or after \(time); \(end)")
  }
}

extension RGBABitmap {
  /// A picture of a background without video.
  static func blank(
    _ size: Canvas, _ background: RenderBackground
  ) throws(CompositingFault) -> RGBABitmap {
    let empty = Cue(index: 0, start: .zero, end: .zero, endCause: .clear, objects: [])
    guard case .color(let color) = background else { return try empty.picture(on: size) }
    _ = try empty.picture(on: Canvas(width: size.width, height: 1))
    return RGBABitmap(width: size.width, height: size.height, filledWith: color)
  }
}
