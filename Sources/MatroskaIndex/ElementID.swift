// SPDX-License-Identifier: Apache-2.0

/// Element IDs with their length marker, RFC 8794 and RFC 9559.
enum ElementID {
  static let ebml: UInt32 = 0x1A45_DFA3
  static let docType: UInt32 = 0x4282
  static let segment: UInt32 = 0x1853_8067
  static let void: UInt32 = 0xEC
  static let crc32: UInt32 = 0xBF

  static let seekHead: UInt32 = 0x114D_9B74
  static let seek: UInt32 = 0x4DBB
  static let seekID: UInt32 = 0x53AB
  static let seekPosition: UInt32 = 0x53AC

  static let info: UInt32 = 0x1549_A966
  static let timestampScale: UInt32 = 0x2AD7B1
  static let duration: UInt32 = 0x4489
  static let muxingApp: UInt32 = 0x4D80
  static let writingApp: UInt32 = 0x5741

  static let cluster: UInt32 = 0x1F43_B675
  static let timestamp: UInt32 = 0xE7
  static let position: UInt32 = 0xA7
  static let prevSize: UInt32 = 0xAB
  static let silentTracks: UInt32 = 0x5854
  static let simpleBlock: UInt32 = 0xA3
  static let blockGroup: UInt32 = 0xA0
  static let block: UInt32 = 0xA1
  static let blockDuration: UInt32 = 0x9B
  static let encryptedBlock: UInt32 = 0xAF

  static let tracks: UInt32 = 0x1654_AE6B
  static let trackEntry: UInt32 = 0xAE
  static let trackNumber: UInt32 = 0xD7
  static let trackUID: UInt32 = 0x73C5
  static let trackType: UInt32 = 0x83
  static let flagDefault: UInt32 = 0x88
  static let flagForced: UInt32 = 0x55AA
  static let flagHearingImpaired: UInt32 = 0x55AB
  static let flagVisualImpaired: UInt32 = 0x55AC
  static let flagTextDescriptions: UInt32 = 0x55AD
  static let flagOriginal: UInt32 = 0x55AE
  static let flagCommentary: UInt32 = 0x55AF
  static let defaultDuration: UInt32 = 0x23E383
  static let codecDelay: UInt32 = 0x56AA
  static let name: UInt32 = 0x536E
  static let language: UInt32 = 0x22B59C
  static let languageBCP47: UInt32 = 0x22B59D
  static let codecID: UInt32 = 0x86
  static let codecPrivate: UInt32 = 0x63A2
  static let video: UInt32 = 0xE0
  static let pixelWidth: UInt32 = 0xB0
  static let pixelHeight: UInt32 = 0xBA
  static let displayWidth: UInt32 = 0x54B0
  static let displayHeight: UInt32 = 0x54BA
  static let displayUnit: UInt32 = 0x54B2
  static let colour: UInt32 = 0x55B0
  static let matrixCoefficients: UInt32 = 0x55B1
  static let contentEncodings: UInt32 = 0x6D80
  static let contentEncoding: UInt32 = 0x6240
  static let contentEncodingScope: UInt32 = 0x5032
  static let contentEncodingType: UInt32 = 0x5033
  static let contentCompression: UInt32 = 0x5034
  static let contentCompAlgo: UInt32 = 0x4254
  static let contentCompSettings: UInt32 = 0x4255

  static let cues: UInt32 = 0x1C53_BB6B
  static let cuePoint: UInt32 = 0xBB
  static let cueTime: UInt32 = 0xB3
  static let cueTrackPositions: UInt32 = 0xB7
  static let cueTrack: UInt32 = 0xF7
  static let cueClusterPosition: UInt32 = 0xF1
  static let cueRelativePosition: UInt32 = 0xF0

  static let tags: UInt32 = 0x1254_C367
  static let tag: UInt32 = 0x7373
  static let targets: UInt32 = 0x63C0
  static let tagTrackUID: UInt32 = 0x63C5
  static let simpleTag: UInt32 = 0x67C8
  static let tagName: UInt32 = 0x45A3
  static let tagString: UInt32 = 0x4487

  static let attachments: UInt32 = 0x1941_A469
  static let chapters: UInt32 = 0x1043_A770

  /// Whether the element is a child of the segment.
  static func isTopLevel(_ id: UInt32) -> Bool {
    switch id {
    case cluster, cues, tags, seekHead, info, tracks, attachments, chapters: true
    default: false
    }
  }

  /// The element's name for messages, or its ID in hexadecimal.
  static func name(of id: UInt32) -> String {
    switch id {
    case ebml: "EBML header"
    case segment: "Segment element"
    case cluster: "Cluster element"
    case cues: "Cues element"
    case tags: "Tags element"
    case seekHead: "SeekHead element"
    case info: "Info element"
    case tracks: "Tracks element"
    case trackEntry: "TrackEntry element"
    case simpleBlock: "SimpleBlock element"
    case blockGroup: "BlockGroup element"
    case block: "Block element"
    case attachments: "Attachments element"
    case chapters: "Chapters element"
    case void: "Void element"
    default: "element 0x" + String(id, radix: 16, uppercase: true)
    }
  }
}
