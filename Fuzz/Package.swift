// swift-tools-version: 6.2
import PackageDescription

// A separate package, because it and its dependencies are built with the instrumentation of libFuzzer
// and the address sanitizer. Build and run it with scripts/fuzz, which passes the flags.

let settings: [SwiftSetting] =
  [
    "ExistentialAny",
    "InternalImportsByDefault",
    "MemberImportVisibility",
    "NonisolatedNonsendingByDefault",
  ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]

let package = Package(
  name: "fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Without traits, because the targets do not need a transport.
    .package(name: "states-debugger", path: "..", traits: [])
  ],
  targets: [
    .target(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], swiftSettings: settings),
    // The tests of the main package also compile these targets, and run the corpus.
    .target(
      name: "FuzzTargets",
      dependencies: [
        .product(name: "JSONCore", package: "states-debugger"),
        .product(name: "Timelines", package: "states-debugger"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
