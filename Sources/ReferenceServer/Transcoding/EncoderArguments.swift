// SPDX-License-Identifier: Apache-2.0

/// The command line of one transcode.
package struct EncoderArguments {
  let plan: StreamPlan
  /// Where the encoder is to begin, in ticks of the film.
  let startTicks: Int
  /// The number of the first segment.
  let startNumber: Int
  /// The folder of the segments, without a slash at its end.
  let folder: String

  /// Ticks of a hundred days, behind the end of any film; keeps sums in range.
  static let startLimit = 86_400_000_000_000

  /// Describes a transcode.
  package init(plan: StreamPlan, startTicks: Int, startNumber: Int, folder: String) {
    self.plan = plan
    self.startTicks = min(max(startTicks, 0), Self.startLimit)
    self.startNumber = startNumber
    self.folder = folder
  }

  /// The arguments behind the program's name.
  package var list: [String] {
    ["-nostdin", "-hide_banner", "-loglevel", "error", "-progress", "pipe:2"]
      + FilmProbe.searchArguments + input + mapping + video + audio + timing + output
  }

  private var input: [String] {
    let own = seek + (plan.burned?.isExternal == true ? [] : canvas)
    let film = own + ["-i", "file:" + plan.film.path]
    guard let track = plan.burned, !track.isText, let path = track.path else { return film }
    return film + seek + canvas + ["-i", "file:" + Self.readable(path)]
  }

  private var seek: [String] {
    guard seekTicks > 0 else { return [] }
    let isInaccurate =
      plan.container != .transportStream && plan.version.seeksInaccurately && !plan.copiesVideo
    return ["-ss", Self.clock(seekTicks)] + (isInaccurate ? ["-noaccurate_seek"] : [])
  }

  /// The size of the canvas that a bitmap track is drawn on, where the server says it.
  private var canvas: [String] {
    guard let track = plan.burned, !track.isText else { return [] }
    if plan.version.isEmby {
      // The size of a track in a file of its own is not known there: as wide as the film, 16:9.
      guard track.isExternal, let width = plan.video.width else { return [] }
      return ["-canvas_size", "\(width)x\(Int((Double(width) / 16 * 9).rounded()))"]
    }
    guard track.codec != "dvb_subtitle", let width = track.width, let height = track.height,
      width > 0, height > 0
    else { return [] }
    return ["-canvas_size", "\(width)x\(height)"]
  }

  /// The file by which a track is read: the index of a pair of .sub and .idx.
  static func readable(_ path: String) -> String {
    guard path.lowercased().hasSuffix(".sub") else { return path }
    let index = path.dropLast(3) + "idx"
    return exists(String(index)) ? String(index) : path
  }

  /// The place to seek to: never into the last five seconds, and half a second on for copies, which
  /// begin at a key frame anyway.
  private var seekTicks: Int {
    guard startTicks > 0 else { return 0 }
    let wanted = plan.copiesVideo ? startTicks + 5_000_000 : startTicks
    guard let duration = plan.film.durationTicks else { return wanted }
    return min(wanted, max(duration - 50_000_000, 0))
  }

  private var mapping: [String] {
    var list = ["-map_metadata", "-1", "-map_chapters", "-1", "-threads", "0"]
    if let track = plan.burned, !plan.copiesVideo {
      list += ["-filter_complex", FilterGraph(plan: plan).burning(track)]
    } else {
      list += ["-map", "0:\(plan.video.containerIndex)"]
      if !plan.copiesVideo { list += ["-vf", FilterGraph(plan: plan).plain] }
    }
    if let audio = plan.audio { list += ["-map", "0:\(audio.containerIndex)"] }
    return list + ["-sn"]
  }

  private var video: [String] {
    guard !plan.copiesVideo else {
      let annexB = plan.container == .transportStream && plan.video.codec == "h264"
      return ["-codec:v:0", "copy"] + (annexB ? ["-bsf:v", "h264_mp4toannexb"] : [])
    }
    var list = ["-codec:v:0", "libx264", "-preset", plan.preset, "-crf", "23"]
    if let rate = bitRate { list += ["-maxrate", "\(rate)", "-bufsize", "\(rate * 2)"] }
    if let fastest = plan.maximumFrameRate, let own = plan.video.realFrameRate, own > fastest + 0.01
    {
      list += ["-r", "\(fastest)"]
    }
    return list + [
      "-force_key_frames:0", "expr:gte(t,n_forced*\(plan.segmentLength))", "-sc_threshold:v:0", "0",
    ]
  }

  /// The rate asked for, but not far above what the film itself has.
  private var bitRate: Int? {
    guard let asked = plan.videoBitRate else { return nil }
    guard let source = plan.video.bitRate, source > 0 else { return asked }
    let generous: Int
    switch source {
    case ...2_000_000: generous = source * 5 / 2
    case ...3_000_000: generous = source * 2
    default: generous = source
    }
    return max(min(asked, generous), 64_000)
  }

  private var audio: [String] {
    plan.audio == nil
      ? ["-an"] : ["-codec:a:0", "aac", "-ac", "2", "-ab", "\(min(plan.audioBitRate, 640_000))"]
  }

  private var timing: [String] {
    var list = ["-copyts", "-avoid_negative_ts", "disabled", "-max_muxing_queue_size", "2048"]
    if plan.version.isEmby || plan.burned.map({ $0.isText || !$0.isExternal }) == true {
      list.append("-start_at_zero")
    }
    return list
  }

  private var output: [String] {
    var list = ["-f", "hls", "-max_delay", "5000000", "-hls_time", "\(plan.segmentLength)"]
    switch plan.container {
    case .transportStream: list += ["-hls_segment_type", "mpegts"]
    case .fragmentedMP4:
      list += ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "-1.mp4"]
    }
    list += ["-start_number", "\(startNumber)"]
    list += ["-hls_segment_filename", "\(folder)/%d.\(plan.container.rawValue)"]
    if plan.container == .fragmentedMP4 {
      list += ["-hls_segment_options", "movflags=+frag_discont"]
    }
    return list + ["-hls_playlist_type", "vod", "-hls_list_size", "0", "-y", "\(folder)/list.m3u8"]
  }

  /// Ticks as hours, minutes and seconds: `00:07:12.432`.
  static func clock(_ ticks: Int) -> String {
    func padded(_ value: Int, _ digits: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(digits - text.count, 0)) + text
    }
    let milliseconds = ticks / 10_000
    return padded(milliseconds / 3_600_000, 2) + ":" + padded(milliseconds / 60_000 % 60, 2) + ":"
      + padded(milliseconds / 1000 % 60, 2) + "." + padded(milliseconds % 1000, 3)
  }
}
