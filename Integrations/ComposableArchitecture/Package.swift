// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RecorderComposableArchitecture",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11)],
  products: [
    .library(
      name: "RecorderComposableArchitecture", targets: ["RecorderComposableArchitecture"])
  ],
  dependencies: [
    .package(name: "states-debugger", path: "../.."),
    .package(
      url: "https://github.com/pointfreeco/swift-composable-architecture", from: "1.25.5"),
  ],
  targets: [
    .target(
      name: "RecorderComposableArchitecture",
      dependencies: [
        .product(
          name: "ComposableArchitecture", package: "swift-composable-architecture"),
        .product(name: "Recorder", package: "states-debugger"),
        .product(name: "Replaying", package: "states-debugger"),
        .product(name: "StatesCore", package: "states-debugger"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
