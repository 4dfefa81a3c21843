// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because everything in it and below it is built with libFuzzer's and the
// address sanitizer's instrumentation. Build and run it with scripts/fuzz, which passes the flags.

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
    // The traits are off: what is fuzzed needs no transport.
    .package(name: "states-debugger", path: "..", traits: [])
  ],
  targets: [
    .target(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz", dependencies: ["CLibFuzzer", "FuzzTargets"], swiftSettings: settings),
    // The tests of the package next to this one compile it, too, and try the corpus.
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
