// SPDX-License-Identifier: Apache-2.0

extension Service {
  /// The transcode of a session as Emby shows it, with the steps that the picture goes through.
  func embyTranscodingFields(_ job: TranscodeJob) -> JSON {
    let plan = job.plan
    let length = plan.film.durationTicks.map { Double($0) / 1e7 }
    let percentage = length.flatMap { length in
      job.end.seconds.map { min(max($0 / max(length, 1) * 100, 0), 100) }
    }
    let first = JSON.fields([
      "AudioCodec": "aac", "VideoCodec": .string(plan.copiesVideo ? plan.video.codec : "h264"),
      "SubProtocol": "hls", "Container": .string(plan.container.rawValue),
      "IsVideoDirect": .bool(plan.copiesVideo), "IsAudioDirect": false,
      "Bitrate": plan.videoBitRate.map { .integer($0 + plan.audioBitRate) },
      "AudioBitrate": .integer(plan.audioBitRate),
      "VideoBitrate": plan.videoBitRate.map { .integer($0) },
      "Framerate": job.end.framesPerSecond.map { .number($0) },
      "CompletionPercentage": percentage.map { .number($0) },
      "TranscodingPositionTicks": job.end.seconds.map { .number(($0 * 1e7).rounded()) },
      "Width": .integer(plan.width), "Height": .integer(plan.height),
      "AudioChannels": plan.audio == nil ? nil : 2,
    ])
    return first.adding([
      "TranscodeReasons": ["DirectPlayError"], "CurrentThrottle": 0,
      "VideoDecoder": .string(plan.video.codec), "VideoDecoderIsHardware": false,
      "VideoEncoder": plan.copiesVideo ? nil : "libx264", "VideoEncoderIsHardware": false,
      "VideoPipelineInfo": .array(plan.videoSteps.map(\.json)),
      "SubtitlePipelineInfos": .array(
        plan.subtitleSteps.isEmpty ? [] : [.array(plan.subtitleSteps.map(\.json))]),
    ])
  }
}

/// One step of a picture's way through the encoder.
package struct PipelineStep: Sendable, Equatable {
  /// Emby's name of its kind.
  package var kind: String
  /// For people.
  var name: String
  /// The decoder, filter or encoder of FFmpeg.
  var program: String
  var options: String?

  var json: JSON {
    .fields([
      "StepType": .string(kind), "StepTypeName": .string(kind), "Name": .string(name),
      "Short": .string(name), "FfmpegName": .string(program),
      "FfmpegOptions": options.map { .string($0) },
    ])
  }
}

extension StreamPlan {
  /// The way of the video; none where it is copied.
  package var videoSteps: [PipelineStep] {
    guard !copiesVideo else { return [] }
    var steps = [PipelineStep(kind: "Decoder", name: "Decoder", program: video.codec)]
    if let burned, !burned.isText {
      steps.append(.init(kind: "SubtitleOverlay", name: "Subtitle overlay", program: "overlay"))
    }
    if width != video.width || height != video.height {
      steps.append(
        .init(kind: "Scaling", name: "Scaling", program: "scale", options: "\(width):\(height)"))
    }
    if burned?.isText == true {
      steps.append(.init(kind: "BurnInTextSubs", name: "Text subtitles", program: "subtitles"))
    }
    return steps + [.init(kind: "Encoder", name: "Encoder", program: "libx264")]
  }

  /// The way of a bitmap track into the picture; none where no bitmap track is drawn.
  package var subtitleSteps: [PipelineStep] {
    guard let burned, !burned.isText, !copiesVideo else { return [] }
    return [
      .init(kind: "Decoder", name: "Decoder", program: burned.decoder),
      .init(kind: "GraphicSub2Video", name: "Subtitle to picture", program: "sub2video"),
      .init(kind: "ScaleSubs", name: "Scaling", program: "scale"),
      .init(kind: "ConnectTo", name: "To the overlay", program: "overlay"),
    ]
  }
}

extension FilmStream {
  /// FFmpeg's decoder of a bitmap track.
  fileprivate var decoder: String {
    switch codec {
    case "hdmv_pgs_subtitle": "pgssub"
    case "dvd_subtitle": "dvdsub"
    case "dvb_subtitle": "dvbsub"
    default: codec
    }
  }
}
