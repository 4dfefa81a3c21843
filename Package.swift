// swift-tools-version: 6.2
import PackageDescription

// The floors and the edges between them are described in docs/architecture.md and enforced by
// scripts/check-imports. A target may depend only on what stands below it.

/// What every Swift target of this package is compiled with.
let settings: [SwiftSetting] =
  [
    "ExistentialAny",
    "InternalImportsByDefault",
    "MemberImportVisibility",
    "NonisolatedNonsendingByDefault",
  ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]

/// The recorder's transport on Linux. Without the trait a program needs nothing at run time.
let transport: Target.Dependency = .target(
  name: "WebSockets",
  condition: .when(platforms: [.linux], traits: ["Recording"])
)

let package = Package(
  name: "states-debugger",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11)],
  products: [
    .library(name: "StatesCore", targets: ["StatesCore"]),
    .library(name: "JSONCore", targets: ["JSONCore"]),
    .library(name: "Timelines", targets: ["Timelines"]),
    .library(name: "Replaying", targets: ["Replaying"]),
    .library(name: "Recorder", targets: ["Recorder"]),
    .library(name: "StatesTesting", targets: ["StatesTesting"]),
    .library(name: "TestSource", targets: ["TestSource"]),
    .executable(name: "debugd", targets: ["debugd"]),
  ],
  traits: [
    .trait(
      name: "Recording",
      description: "Link the recorder's transport; without it the same API records nothing."
    ),
    .default(enabledTraits: ["Recording"]),
  ],
  targets: [
    // Floor 0: ground.
    .target(name: "StatesCore"),
    .target(name: "JSONCore"),
    .systemLibrary(name: "CLibWebsockets", providers: [.apt(["libwebsockets-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),

    // Floor 1: contract.
    .target(name: "Timelines", dependencies: ["JSONCore"]),

    // Floor 2: ability.
    .target(name: "Replaying", dependencies: ["StatesCore", "JSONCore", "Timelines"]),
    .target(name: "TestSource", dependencies: ["JSONCore", "Timelines"]),
    .target(name: "HostProcesses", dependencies: ["JSONCore", "Timelines"]),
    .target(name: "WebSockets", dependencies: ["CLibWebsockets"]),
    .target(name: "TimelineStore", dependencies: ["JSONCore", "Timelines", "CSQLite", "CZstd"]),

    // Floor 3: assembly.
    .target(
      name: "Recorder",
      dependencies: [
        "StatesCore", "JSONCore", "Timelines", "Replaying", "TestSource", "HostProcesses",
        transport,
      ]
    ),
    .target(
      name: "StatesTesting", dependencies: ["StatesCore", "JSONCore", "Timelines", "Replaying"]),
    .target(
      name: "DebugServer",
      dependencies: [
        "JSONCore", "Timelines", "TestSource", "HostProcesses", "WebSockets", "TimelineStore",
      ]
    ),

    // Floor 4: programs.
    .executableTarget(name: "debugd", dependencies: ["DebugServer", "Timelines", "JSONCore"]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "JSONCore", "Timelines", "StatesCore", "Replaying", "Recorder", "WebSockets",
        "TimelineStore", "DebugServer", "TestSource",
      ]
    ),

    // Tests mirror sources.
    .target(name: "TestSupport", dependencies: ["JSONCore"], path: "Tests/TestSupport"),
    .testTarget(name: "JSONCoreTests", dependencies: ["JSONCore", "TestSupport"]),
    // The fuzz targets, tried with the inputs of their corpus; scripts/fuzz builds them to find more.
    .target(
      name: "FuzzTargets", dependencies: ["JSONCore", "Timelines"],
      path: "Fuzz/Sources/FuzzTargets"),
    .testTarget(name: "FuzzCorpusTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .testTarget(name: "TimelinesTests", dependencies: ["Timelines", "JSONCore", "TestSupport"]),
    .testTarget(
      name: "ReplayingTests",
      dependencies: ["Replaying", "StatesCore", "JSONCore", "Timelines", "TestSupport"]
    ),
    .testTarget(name: "DebugdTests", dependencies: ["debugd", "TestSupport"]),
    .testTarget(
      name: "TestSourceTests", dependencies: ["TestSource", "JSONCore", "Timelines"]),
    .testTarget(name: "WebSocketsTests", dependencies: ["WebSockets", "TestSupport"]),
    // A server for the conformance suite of scripts/autobahn.
    .executableTarget(
      name: "EchoServer", dependencies: ["WebSockets"], path: "Tests/EchoServer"),
    // A disk in memory, below SQLite and the store, that fails and loses power at will.
    .target(
      name: "FaultyDisk", dependencies: ["TimelineStore", "CSQLite"], path: "Tests/FaultyDisk"),
    .testTarget(
      name: "TimelineStoreTests",
      dependencies: ["TimelineStore", "JSONCore", "Timelines", "TestSupport", "FaultyDisk"]
    ),
    .testTarget(
      name: "DebugServerTests",
      dependencies: [
        "DebugServer", "JSONCore", "Timelines", "HostProcesses", "WebSockets", "TimelineStore",
        "StatesCore", "Replaying", "Recorder", "TestSupport", "RecorderProbe",
      ]
    ),
    .testTarget(
      name: "RecorderTests",
      dependencies: [
        "Recorder", "StatesCore", "JSONCore", "Timelines", "Replaying", "HostProcesses",
        "WebSockets", "TestSource", "TestSupport", "RecorderProbe",
      ]
    ),
    // A program that records, and that the tests kill, trap, fork and start as a host.
    .executableTarget(
      name: "RecorderProbe",
      dependencies: ["Recorder", "StatesCore", "JSONCore", "Timelines", "Replaying"],
      path: "Tests/RecorderProbe"
    ),
    // Whole systems of the real parts in one thread, from a seed; scripts/simulate runs it.
    .target(
      name: "Simulation",
      dependencies: [
        "JSONCore", "Timelines", "StatesCore", "Recorder", "WebSockets", "TimelineStore",
        "DebugServer",
      ],
      path: "Tests/Simulation", exclude: ["Mutants"]
    ),
    .executableTarget(name: "simulate", dependencies: ["Simulation"], path: "Tests/Simulate"),
    .testTarget(
      name: "SimulationTests",
      dependencies: ["Simulation", "simulate", "JSONCore", "Timelines", "TestSupport"]),
    .testTarget(name: "StatesCoreTests", dependencies: ["StatesCore", "TestSupport"]),
    .testTarget(
      name: "StatesTestingTests",
      dependencies: [
        "StatesTesting", "StatesCore", "JSONCore", "Timelines", "Replaying", "TestSupport",
      ]
    ),
    // Compiled as an app is that keeps everything on the main actor unless it says otherwise.
    .testTarget(
      name: "MainActorTests",
      dependencies: ["StatesCore", "StatesTesting", "Replaying", "JSONCore", "Timelines"]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// `TEST_TARGETS=RecorderTests swift test` builds these test targets alone.
if let only = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}

for target in package.targets where target.type != .system {
  target.swiftSettings =
    settings + (target.name == "MainActorTests" ? [.defaultIsolation(MainActor.self)] : [])
    // The transport of Apple's platforms is checked by the compiler here, too; it is not linked.
    + (target.name == "RecorderTests" ? [.define("CHECKS_URL_SESSION")] : [])
}
