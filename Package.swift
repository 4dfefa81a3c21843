// swift-tools-version: 6.2
import PackageDescription

// The layers and their dependencies are described in docs/architecture.md and enforced by
// scripts/check-imports. A target may depend only on lower targets.

/// The settings of every Swift target of this package.
let settings: [SwiftSetting] =
  [
    "ExistentialAny",
    "InternalImportsByDefault",
    "MemberImportVisibility",
    "NonisolatedNonsendingByDefault",
  ].map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]

/// The recorder's transport on Linux. Without the trait, programs need no library at run time.
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
    .library(name: "Predicates", targets: ["Predicates"]),
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
    // Layer 0: foundations.
    .target(name: "StatesCore"),
    .target(name: "JSONCore"),
    .systemLibrary(name: "CLibWebsockets", providers: [.apt(["libwebsockets-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"])]),

    // Layer 1: the shared formats.
    .target(name: "Timelines", dependencies: ["JSONCore"]),
    .target(name: "Predicates", dependencies: ["JSONCore", "Timelines"]),
    .target(name: "Wire", dependencies: ["JSONCore", "Timelines", "Predicates"]),

    // Layer 2: capabilities.
    .target(name: "Replaying", dependencies: ["StatesCore", "JSONCore", "Timelines"]),
    .target(name: "Exploring", dependencies: ["JSONCore", "Timelines"]),
    .target(name: "Explaining", dependencies: ["JSONCore", "Timelines", "Predicates"]),
    .target(name: "Mining", dependencies: ["JSONCore", "Predicates", "Wire"]),
    .target(name: "TestSource", dependencies: ["JSONCore", "Timelines", "Predicates"]),
    .target(name: "HostProcesses", dependencies: ["JSONCore", "Timelines", "Wire"]),
    .target(name: "WebSockets", dependencies: ["CLibWebsockets"]),
    .target(
      name: "TimelineStore",
      dependencies: ["JSONCore", "Timelines", "Predicates", "Wire", "CSQLite", "CZstd"]),
    // A driver of the store.
    .target(
      name: "PostgresStore",
      dependencies: ["CPostgres", "JSONCore", "Timelines", "Wire", "TimelineStore"]),

    // Layer 3: assembly.
    .target(
      name: "Recorder",
      dependencies: [
        "StatesCore", "JSONCore", "Timelines", "Wire", "Replaying", "TestSource", "HostProcesses",
        transport,
      ]
    ),
    .target(
      name: "StatesTesting",
      dependencies: ["StatesCore", "JSONCore", "Timelines", "Predicates", "Replaying"]),
    .target(
      name: "Reruns",
      dependencies: [
        "JSONCore", "Timelines", "Predicates", "Wire", "Exploring", "Explaining", "HostProcesses",
        "TimelineStore",
      ]
    ),
    .target(
      name: "DebugServer",
      dependencies: [
        "JSONCore", "Timelines", "Predicates", "Wire", "Mining", "TestSource", "HostProcesses",
        "WebSockets", "TimelineStore", "Reruns",
      ]
    ),

    // Layer 4: programs.
    .executableTarget(
      name: "debugd",
      dependencies: [
        "DebugServer", "Reruns", "Mining", "Timelines", "Predicates", "Wire", "JSONCore",
        "TimelineStore", "PostgresStore",
      ]),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "JSONCore", "Timelines", "Predicates", "Wire", "StatesCore", "Replaying", "Recorder",
        "WebSockets",
        "TimelineStore", "Reruns", "DebugServer", "TestSource", "Exploring",
      ]
    ),

    // Tests mirror sources.
    .target(name: "TestSupport", dependencies: ["JSONCore"], path: "Tests/TestSupport"),
    .testTarget(name: "JSONCoreTests", dependencies: ["JSONCore", "TestSupport"]),
    // Runs the fuzz targets on their corpus; scripts/fuzz builds them for real fuzzing.
    .target(
      name: "FuzzTargets", dependencies: ["JSONCore", "Timelines", "Predicates", "Wire"],
      path: "Fuzz/Sources/FuzzTargets"),
    .testTarget(name: "FuzzCorpusTests", dependencies: ["FuzzTargets", "TestSupport"]),
    .testTarget(
      name: "PredicatesTests", dependencies: ["Predicates", "Timelines", "JSONCore", "TestSupport"]),
    .testTarget(
      name: "WireTests",
      dependencies: ["Wire", "Predicates", "Timelines", "JSONCore", "TestSupport"]),
    .testTarget(
      name: "TimelinesTests", dependencies: ["Timelines", "Wire", "JSONCore", "TestSupport"]),
    // What the tests of redaction share.
    .target(
      name: "RedactionSupport", dependencies: ["Replaying", "StatesCore", "TestSupport"],
      path: "Tests/RedactionSupport"),
    .testTarget(
      name: "ReplayingTests",
      dependencies: [
        "Replaying", "StatesCore", "JSONCore", "Timelines", "TestSupport", "RedactionSupport",
      ]
    ),
    .testTarget(
      name: "ExploringTests", dependencies: ["Exploring", "Timelines", "JSONCore", "TestSupport"]),
    .testTarget(
      name: "ExplainingTests",
      dependencies: ["Explaining", "Predicates", "Timelines", "JSONCore", "TestSupport"]),
    .testTarget(
      name: "MiningTests",
      dependencies: ["Mining", "Predicates", "Timelines", "JSONCore", "Wire", "TestSupport"]),
    .testTarget(name: "DebugdTests", dependencies: ["debugd", "TestSupport"]),
    .testTarget(
      name: "TestSourceTests", dependencies: ["TestSource", "JSONCore", "Timelines", "Predicates"]),
    .testTarget(name: "WebSocketsTests", dependencies: ["WebSockets", "TestSupport"]),
    // The server for the conformance tests of scripts/autobahn.
    .executableTarget(
      name: "EchoServer", dependencies: ["WebSockets"], path: "Tests/EchoServer"),
    // An in-memory disk for SQLite and the store that simulates failures and power loss.
    .target(
      name: "FaultyDisk", dependencies: ["TimelineStore", "CSQLite"], path: "Tests/FaultyDisk"),
    .testTarget(
      name: "TimelineStoreTests",
      dependencies: [
        "TimelineStore", "JSONCore", "Timelines", "Predicates", "Wire", "TestSupport", "FaultyDisk",
        "PostgresStore",
      ]
    ),
    .testTarget(
      name: "DebugServerTests",
      dependencies: [
        "DebugServer", "Reruns", "JSONCore", "Timelines", "Predicates", "Wire", "HostProcesses",
        "WebSockets", "TimelineStore", "StatesCore", "Replaying", "Recorder", "TestSupport",
        "RerunsSupport", "RecorderProbe",
      ]
    ),
    // What the tests of hosts share.
    .target(
      name: "RerunsSupport",
      dependencies: ["Reruns", "JSONCore", "Timelines", "Wire", "TestSupport"],
      path: "Tests/RerunsSupport"),
    .testTarget(
      name: "RerunsTests",
      dependencies: [
        "Reruns", "Exploring", "DebugServer", "JSONCore", "Timelines", "Predicates", "Wire",
        "HostProcesses", "TimelineStore", "StatesCore", "Replaying", "Recorder", "TestSupport",
        "RerunsSupport",
        "RecorderProbe",
      ]
    ),
    .testTarget(
      name: "RecorderTests",
      dependencies: [
        "Recorder", "StatesCore", "JSONCore", "Timelines", "Wire", "Replaying", "HostProcesses",
        "WebSockets", "TestSource", "TestSupport", "RecorderProbe", "RedactionSupport",
      ]
    ),
    // A recording program that tests kill, trap, fork, and start as a host.
    .executableTarget(
      name: "RecorderProbe",
      dependencies: ["Recorder", "StatesCore", "JSONCore", "Timelines", "Wire", "Replaying"],
      path: "Tests/RecorderProbe"
    ),
    // Simulates whole systems from real parts in one thread, from a seed; scripts/simulate runs it.
    .target(
      name: "Simulation",
      dependencies: [
        "JSONCore", "Timelines", "Wire", "StatesCore", "Recorder", "WebSockets", "TimelineStore",
        "DebugServer", "FaultyDisk",
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
    // Compiled with the main actor as the default isolation, like many apps.
    .testTarget(
      name: "MainActorTests",
      dependencies: ["StatesCore", "StatesTesting", "Replaying", "JSONCore", "Timelines"]
    ),
  ],
  swiftLanguageModes: [.v6]
)

// `TEST_TARGETS=RecorderTests swift test` builds only these test targets.
if let only = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}

for target in package.targets where target.type != .system {
  target.swiftSettings =
    settings + (target.name == "MainActorTests" ? [.defaultIsolation(MainActor.self)] : [])
    // Compile the transport of Apple's platforms here, too, without linking it.
    + (target.name == "RecorderTests" ? [.define("CHECKS_URL_SESSION")] : [])
}
