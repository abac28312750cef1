// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

/// Whether the package is being built by `Scripts/fuzz`: every room instrumented for libFuzzer.
let isFuzzed = Context.environment["BURNSCOPE_FUZZ"] == "1"

/// Settings of every Swift target of the package.
let settings: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ] + (isFuzzed ? [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])] : [])

/// Whether this package is being built as somebody's dependency, where compiler flags are refused.
let isDependency = Context.environment["BURNSCOPE_AS_DEPENDENCY"] == "1"

/// Settings of the targets with image kernels, which are optimised in debug builds too.
let kernelSettings: [SwiftSetting] =
  settings + (isDependency ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))])

/// Settings of the C targets.
let cSettings: [CSetting] = [.treatAllWarnings(as: .error)]

/// A Swift target with the house settings.
func room(_ name: String, _ dependencies: [Target.Dependency] = [], kernels: Bool = false) -> Target
{
  .target(
    name: name, dependencies: dependencies, swiftSettings: kernels ? kernelSettings : settings)
}

/// The test target of a room.
func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
    resources: resources, swiftSettings: settings)
}

let package = Package(
  name: "burnscope",
  products: [
    .executable(name: "burnscope", targets: ["burnscope"]),
    .library(name: "Burnscope", targets: ["Burnscope"]),
    .library(name: "BurnInNegotiation", targets: ["BurnInNegotiation"]),
  ],
  targets: [
    // System libraries. CLibPNG stands before CFFmpeg wherever both are listed: the other way round
    // libpng's -L would come first and hide an FFmpeg in a folder of its own.
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CFFmpeg", pkgConfig: "libavformat libavcodec libavutil libswscale",
      providers: [
        .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev"]),
        .brew(["ffmpeg"]),
      ]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
    .systemLibrary(
      name: "CMicroHTTPDSystem", pkgConfig: "libmicrohttpd",
      providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
    .systemLibrary(
      name: "CAss", pkgConfig: "libass", providers: [.apt(["libass-dev"]), .brew(["libass"])]),
    .target(name: "CFFmpegShims", dependencies: ["CLibPNG", "CFFmpeg"], cSettings: cSettings),
    .target(name: "CCurlShims", dependencies: ["CCurl"], cSettings: cSettings),
    .target(name: "CMicroHTTPD", dependencies: ["CMicroHTTPDSystem"], cSettings: cSettings),
    .target(name: "CProcessShims", cSettings: cSettings),

    // Rooms, from the ground up. What each may import: docs/architecture.md.
    room("SubtitleModel"),
    room("BinaryReading"),
    room("SubtitleFormats", ["SubtitleModel", "BinaryReading"]),
    room("TraitSuite", ["SubtitleModel", "BinaryReading", "SubtitleFormats"]),
    room("Compositing", ["SubtitleModel"], kernels: true),
    room("PNGCoding", ["SubtitleModel", "CLibPNG"]),
    room("HTTPTransport", ["CCurlShims"]),
    room("MediaContainer", ["SubtitleModel", "CFFmpegShims"]),
    room("MatroskaIndex", ["BinaryReading", "SubtitleModel"]),
    room("HLSPlayback", ["HTTPTransport", "MediaContainer", "SubtitleModel"]),
    room("MediaServer", ["HTTPTransport", "BurnInNegotiation"]),
    room("BurnInNegotiation"),
    room("BurnInVerification", ["SubtitleModel", "Compositing"], kernels: true),
    room(
      "SubtitleAuthoring",
      ["SubtitleModel", "SubtitleFormats", "PNGCoding", "MediaContainer", "CAss"]),
    room("Reporting", ["BurnInVerification", "PNGCoding", "SubtitleModel"]),
    room("ChildProcess", ["CProcessShims"]),
    room("ReferenceServer", ["MediaContainer", "SubtitleModel", "ChildProcess", "CMicroHTTPD"]),
    room(
      "Burnscope",
      [
        "SubtitleModel", "SubtitleFormats", "TraitSuite", "Compositing", "PNGCoding",
        "HTTPTransport", "MediaContainer", "MatroskaIndex", "HLSPlayback", "MediaServer",
        "BurnInNegotiation", "BurnInVerification", "SubtitleAuthoring", "Reporting",
      ]),
    room("CommandArguments"),
    room(
      "BurnscopeCommandLine",
      [
        "Burnscope", "ReferenceServer", "CommandArguments", "SubtitleModel", "SubtitleFormats",
        "Compositing",
        "PNGCoding", "MediaContainer", "HTTPTransport", "HLSPlayback", "MediaServer",
        "BurnInNegotiation", "BurnInVerification", "Reporting", "SubtitleAuthoring",
      ]),
    .executableTarget(
      name: "burnscope", dependencies: ["BurnscopeCommandLine"], swiftSettings: settings),

    // Tests.
    .target(
      name: "DecisionFuzzing", dependencies: ["BurnInVerification"],
      path: "Tests/DecisionFuzzing", swiftSettings: kernelSettings),
    .executableTarget(
      name: "burnscope-accuracy", dependencies: ["DecisionFuzzing"],
      path: "Sources/BurnscopeAccuracy", swiftSettings: settings),
    .executableTarget(
      name: "burnscope-decoder-timing",
      dependencies: ["Burnscope", "MediaContainer", "SubtitleFormats"],
      path: "Sources/BurnscopeDecoderTiming", swiftSettings: settings),
    .target(
      name: "TestSupport",
      dependencies: ["SubtitleModel", "PNGCoding", "BinaryReading", "ChildProcess"],
      path: "Tests/TestSupport", swiftSettings: settings),
    tests("SubtitleModel"),
    tests("BinaryReading"),
    tests(
      "SubtitleFormats",
      ["SubtitleModel", "BinaryReading", "TraitSuite", "MediaContainer", "ChildProcess"]),
    tests("Compositing", ["SubtitleModel", "PNGCoding", "MediaContainer", "ChildProcess"]),
    tests("PNGCoding", ["SubtitleModel"]),
    tests("HTTPTransport", ["ChildProcess"]),
    tests("MediaContainer", ["SubtitleModel", "SubtitleFormats", "ChildProcess"]),
    tests("MatroskaIndex", ["BinaryReading", "SubtitleModel", "ChildProcess"]),
    tests("HLSPlayback", ["HTTPTransport", "MediaContainer", "SubtitleModel", "ChildProcess"]),
    tests("MediaServer", ["BurnInNegotiation", "HTTPTransport"]),
    tests("BurnInNegotiation", resources: [.copy("Resources")]),
    tests("BurnInVerification", ["SubtitleModel", "Compositing", "DecisionFuzzing"]),
    tests(
      "SubtitleAuthoring",
      ["SubtitleModel", "SubtitleFormats", "MediaContainer", "PNGCoding", "ChildProcess"]),
    tests("Reporting", ["BurnInVerification", "SubtitleModel", "PNGCoding"]),
    tests("ChildProcess"),
    tests("ReferenceServer", ["MediaContainer", "SubtitleModel", "ChildProcess", "HTTPTransport"]),
    tests("CommandArguments"),
    tests(
      "Burnscope",
      [
        "MediaContainer", "PNGCoding", "SubtitleFormats", "SubtitleModel", "TraitSuite",
        "ChildProcess", "Compositing",
      ]),
    tests(
      "BurnscopeCommandLine",
      [
        "BurnInVerification", "Burnscope", "ChildProcess", "Compositing", "HTTPTransport",
        "MediaContainer", "PNGCoding", "SubtitleFormats", "SubtitleModel",
      ]),
  ]
)

if isFuzzed {
  package.targets.append(
    .executableTarget(
      name: "burnscope-fuzz",
      dependencies: [
        "SubtitleModel", "SubtitleFormats", "Compositing", "PNGCoding", "HTTPTransport",
        "MediaContainer", "MatroskaIndex", "HLSPlayback", "MediaServer", "BurnInNegotiation",
        "BurnInVerification", "SubtitleAuthoring",
      ],
      path: "Tests/Fuzz", exclude: ["Seeds", "make-seeds"], swiftSettings: settings,
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer,address"])]))
}
