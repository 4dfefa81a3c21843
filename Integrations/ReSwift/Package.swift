// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RecorderReSwift",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11)],
  products: [.library(name: "RecorderReSwift", targets: ["RecorderReSwift"])],
  dependencies: [
    .package(name: "states-debugger", path: "../.."),
    .package(url: "https://github.com/ReSwift/ReSwift", from: "6.1.0"),
  ],
  targets: [
    .target(
      name: "RecorderReSwift",
      dependencies: [
        .product(name: "ReSwift", package: "ReSwift"),
        .product(name: "Recorder", package: "states-debugger"),
        .product(name: "Replaying", package: "states-debugger"),
        .product(name: "StatesCore", package: "states-debugger"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
