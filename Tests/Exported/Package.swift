// swift-tools-version: 6.2
import PackageDescription

// A package as a user has one: machines, and tests of them that were exported. It is copied into a
// build folder, where the tests are made.
let debugger = "states-debugger"

let package = Package(
  name: "exported",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: debugger, path: Context.environment["DEBUGGER"] ?? "../..")],
  targets: [
    .target(
      name: "Subjects",
      dependencies: [
        .product(name: "StatesCore", package: debugger),
        .product(name: "Replaying", package: debugger),
      ]
    ),
    .executableTarget(
      name: "Exporter",
      dependencies: [
        "Subjects", .product(name: "JSONCore", package: debugger),
        .product(name: "Recorder", package: debugger),
        .product(name: "StatesCore", package: debugger),
        .product(name: "TestSource", package: debugger),
      ]
    ),
    // A stand-in of the public shapes that an exported spec uses.
    .target(name: "Quick"),
    .testTarget(
      name: "ExportedTests",
      dependencies: ["Subjects", "Quick", .product(name: "StatesTesting", package: debugger)]
    ),
  ],
  swiftLanguageModes: [.v6]
)
