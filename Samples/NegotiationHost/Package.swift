// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let package = Package(
  name: "NegotiationHost",
  dependencies: [.package(name: "burnscope", path: "../..")],
  targets: [
    .executableTarget(
      name: "NegotiationHost",
      dependencies: [.product(name: "BurnInNegotiation", package: "burnscope")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
