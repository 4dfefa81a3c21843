// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RecorderMobius",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11)],
  products: [.library(name: "RecorderMobius", targets: ["RecorderMobius"])],
  dependencies: [
    .package(name: "states-debugger", path: "../.."),
    .package(url: "https://github.com/spotify/Mobius.swift", from: "0.7.0"),
  ],
  targets: [
    .target(
      name: "RecorderMobius",
      dependencies: [
        .product(name: "MobiusCore", package: "Mobius.swift"),
        .product(name: "Recorder", package: "states-debugger"),
        .product(name: "Replaying", package: "states-debugger"),
        .product(name: "StatesCore", package: "states-debugger"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
