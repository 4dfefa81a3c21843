import Foundation
import HostProcesses
import JSONCore
import RerunsSupport
import Synchronization
import TestSupport
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Hosts: which one serves a machine", .serialized)
struct HostManagerTests {
  /// Recorders that never answer, and remember their requests.
  private final class Recorders: RecorderHosts {
    let offers: [RecorderOffer]
    let asked = Mutex<[PeerID]>([])

    init(_ offers: [RecorderOffer]) {
      self.offers = offers
    }

    func recorderOffers() async -> [RecorderOffer] { offers }

    func reduce(
      _ number: Int64, _ request: ToRecorder.Reduce, on recorder: PeerID,
      answer: @escaping @Sendable (HostAnswer) -> Void
    ) async {
      asked.withLock { $0.append(recorder) }
      answer(.reduced(FromRecorder.Reduced()))
    }

    func cancelReduce(_ number: Int64) async {}
  }

  private func offer(
    _ number: UInt64, _ place: HostPlace, run: String? = nil, app: String? = "Commute",
    version: String? = nil, makes: [String] = [HostWorld.make]
  ) -> RecorderOffer {
    RecorderOffer(
      recorder: PeerID(number),
      summary: ToInspector.HostSummary {
        $0.name = run ?? "recorder \(number)"
        $0.place = place
        $0.makes = makes
        $0.app = app
        $0.version = version
      }, run: run)
  }

  private func keeper(
    _ executables: [HostSpec], _ offers: [RecorderOffer] = [],
    change: (inout HostSettings) -> Void = { _ in }
  ) async -> (keeper: HostManager, recorders: Recorders, task: Task<Void, Never>) {
    var settings = HostSettings()
    settings.executables = executables
    settings.watchMilliseconds = 10
    change(&settings)
    let keeper = HostManager(settings)
    let recorders = Recorders(offers)
    await keeper.connect(recorders)
    let task = Task { await keeper.run { _ in } }
    while await keeper.summaries.count < executables.count { await Task.yield() }
    return (keeper, recorders, task)
  }

  @Test("an executable comes before recorders, the app's own process before the live app")
  func order() async throws {
    let offers = [offer(1, .live, run: "a"), offer(2, .process, run: "b")]
    let (keeper, _, task) = await keeper([HostWorld.spec()], offers)
    defer { task.cancel() }
    let header = try HostWorld.header(run: "a")
    #expect(try await keeper.host(for: header, named: nil).summary.name == "RecorderProbe")
    #expect(try await keeper.host(for: header, named: "b").summary.name == "b")
    let (without, recorders, other) = await self.keeper([], offers)
    defer { other.cancel() }
    let host = try await without.host(for: header, named: nil)
    #expect(host.summary.name == "b")
    try await host.reduce(try HostWorld.request([])) { _ in }
    #expect(recorders.asked.withLock { $0 } == [PeerID(2)])
  }

  @Test("of two runs of an app the timeline's own is asked, and another app's never")
  func runs() async throws {
    let offers = [
      offer(1, .process, run: "a"), offer(2, .process, run: "b"),
      offer(3, .process, run: "c", app: "Depot"),
    ]
    let (keeper, _, task) = await keeper([HostWorld.spec(app: "Depot")], offers)
    defer { task.cancel() }
    let commute = try await keeper.host(for: try HostWorld.header(run: "b"), named: nil)
    #expect(commute.summary.name == "b")
    let ended = try await keeper.host(for: try HostWorld.header(run: "old"), named: nil)
    #expect(ended.summary.name == "a")
    let depot = try await keeper.host(for: try HostWorld.header(app: "Depot"), named: nil)
    #expect(depot.summary.name == "RecorderProbe")
  }

  @Test("an executable for the version that recorded comes first, and one for another is not asked")
  func versions() async throws {
    let all = HostWorld.spec(app: "Commute")
    let old = HostWorld.spec(app: "Commute", version: "1.9")
    let new = HostWorld.spec(app: "Commute", version: "2.4")
    let (keeper, _, task) = await keeper([all, old, new])
    defer { task.cancel() }
    for (version, name) in [
      ("2.4", "RecorderProbe-2.4"), ("1.9", "RecorderProbe-1.9"), ("2.0", "RecorderProbe"),
    ] {
      let header = try HostWorld.header(version: version)
      #expect(try await keeper.host(for: header, named: nil).summary.name == name)
    }
    let (without, _, other) = await self.keeper([old])
    defer { other.cancel() }
    let header = try HostWorld.header(version: "2.4")
    let refusal = await #expect(throws: Refusal.self) {
      try await without.host(for: header, named: nil)
    }
    #expect(
      refusal?.reply.message.contains(
        "RecorderProbe-1.9 is for version 1.9, and version 2.4 made the recording.") == true)
    let named = try await without.host(for: header, named: "RecorderProbe-1.9")
    #expect(named.summary.version == "1.9")
  }

  @Test("of other runs of an app, those of the version that recorded come first")
  func runsOfVersions() async throws {
    let offers = [
      offer(1, .process, run: "a", version: "1.9"), offer(2, .process, run: "b", version: "2.4"),
    ]
    let (keeper, _, task) = await keeper([], offers)
    defer { task.cancel() }
    for (run, version, name) in [("old", "2.4", "b"), ("old", "1.9", "a"), ("a", "2.4", "a")] {
      let header = try HostWorld.header(version: version, run: run)
      #expect(try await keeper.host(for: header, named: nil).summary.name == name)
    }
  }

  @Test("a version without its app is refused")
  func versionAlone() async throws {
    let (keeper, _, task) = await keeper([])
    defer { task.cancel() }
    let asked = FromInspector.Host {
      $0.executable = ProbeExecutable.path
      $0.version = "2.4"
    }
    await #expect(throws: Refusal.self) { try await keeper.add(asked) }
    for version in ["", " ", "2.4\n", String(repeating: "1", count: 101)] {
      let asked = FromInspector.Host {
        $0.executable = ProbeExecutable.path
        $0.app = "Commute"
        $0.version = version
      }
      await #expect(throws: Refusal.self) { try await keeper.add(asked) }
    }
  }

  @Test("without a host, the refusal says why, and what to do")
  func none() async throws {
    let missing = HostSpec(path: "/no/such/App")
    let (keeper, _, task) = await keeper([missing], [offer(1, .live, makes: ["Other()"])])
    defer { task.cancel() }
    for (make, name, words) in [
      (
        HostWorld.make, nil,
        [
          "/no/such/App", "Other()",
          """
          To fix, give the daemon the executable that makes it: debugd host .build/debug/\
          Commute (its main calls ReducerHost.runIfAsked(…) first), or run the app.
          """,
        ]
      ),
      (nil, nil, ["how its machine is made", "Replayable"]),
      (HostWorld.make, "Other", ["\"Other\"", "There are: App"]),
      (
        HostWorld.make, "App",
        [
          "The host could not be started: there is no file /no/such/App. To fix, correct the path, "
            + "or build it with swift build."
        ]
      ),
    ] as [(String?, String?, [String])] {
      let header = try HostWorld.header(make: make)
      let error = await #expect(throws: Refusal.self) {
        _ = try await keeper.host(for: header, named: name)
      }
      #expect(error?.reply.code == .noHost)
      for word in words { #expect(error?.reply.message.contains(word) == true, "\(word)") }
    }
  }

  @Test("a fresh host is another process, with its own variables; a recorder has none")
  func fresh() async throws {
    let (keeper, _, task) = await keeper([HostWorld.spec()])
    defer { task.cancel() }
    let header = try HostWorld.header()
    let zones = ["Asia/Kathmandu", "America/Caracas"]
    for zone in zones {
      let host = try await keeper.freshHost(for: header, named: nil, environment: ["TZ": zone])
      let result = try await host.run([#"{"variable":{"_0":"TZ"}}"#])
      #expect(result.entries.first?["patch"]?[0]?["value"] == .string(zone))
    }
    let (alone, _, other) = await self.keeper([], [offer(1, .process, run: "a")])
    defer { other.cancel() }
    let error = await #expect(throws: Refusal.self) {
      _ = try await alone.freshHost(for: header, named: nil, environment: [:])
    }
    #expect(
      error?.reply.message == """
        Fresh processes are those that the daemon starts itself, and \(HostWorld.make) is made by \
        the app Commute alone. To fix, give the daemon the executable: debugd host \
        .build/debug/Commute
        """)
  }

  @Test("the number of fresh hosts is limited, and releasing one makes room")
  func bounded() async throws {
    let (keeper, _, task) = await keeper([HostWorld.spec()]) { $0.mostFreshHosts = 2 }
    defer { task.cancel() }
    let header = try HostWorld.header()
    func fresh() async throws -> any ReducerHosting {
      try await keeper.freshHost(for: header, named: nil, environment: [:])
    }
    let first = try await fresh()
    do {
      let second = try await fresh()
      let error = await #expect(throws: Refusal.self) { _ = try await fresh() }
      #expect(error?.reply.code == .limit)
      #expect(
        error?.reply.message == """
          2 processes are verifying already, and the daemon starts no more. To fix, wait until the \
          other verifications have ended, or ask for fewer processes.
          """)
      #expect(second.summary.name == first.summary.name)
    }
    _ = try await fresh()
    #expect(first.summary.place == .process)
  }

  @Test("a rebuilt file is detected without a request, and reported to all")
  func noticed() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let path = folder + "/Probe"
    try HostWorld.copyProbe(to: path)
    var settings = HostSettings()
    settings.executables = [HostSpec(path: path, arguments: ["host"])]
    settings.watchMilliseconds = 10
    let observer = StartObserver()
    let rebuilds = Mutex(0)
    let keeper = HostManager(settings, observer: observer) { rebuilds.withLock { $0 += 1 } }
    let (reported, continuation) = AsyncStream.makeStream(of: [ToInspector.HostSummary].self)
    let task = Task { await keeper.run { continuation.yield($0) } }
    var replaced = false
    for await hosts in reported {
      guard let host = hosts.first, host.started != nil, !host.makes.isEmpty else { continue }
      if host.restarted != nil { break }
      if !replaced { try HostWorld.copyProbe(to: path) }
      replaced = true
    }
    task.cancel()
    await task.value
    #expect(observer.started.contains { $0.restarted?.contains("file changed") == true })
    // What the old file computed can be forgotten.
    #expect(rebuilds.withLock { $0 } == 1)
  }

  @Test("an inspector adds an executable, which stays, and one that is not a host, which does not")
  func given() async throws {
    let (keeper, _, task) = await keeper([])
    defer { task.cancel() }
    let refusal = await #expect(throws: Refusal.self) {
      try await keeper.add(FromInspector.Host { $0.executable = "/bin/false" })
    }
    #expect(refusal?.reply.message.contains("not a host") == true)
    #expect(await keeper.summaries.isEmpty)
    for _ in 0..<2 {
      try await keeper.add(
        FromInspector.Host {
          $0.executable = ProbeExecutable.path
          $0.arguments = ["host"]
        })
    }
    #expect(await keeper.summaries.map(\.name) == ["RecorderProbe"])
    #expect(
      try await keeper.host(for: try HostWorld.header(), named: nil).run([HostWorld.add]).entries
        .count == 1)
  }

  @Test("an added executable is reported before the answer, however short ago the last report was")
  func reportedFirst() async throws {
    var settings = HostSettings()
    settings.executables = [HostWorld.spec(app: "first")]
    let keeper = HostManager(settings)
    let reported = Mutex<[ToInspector.HostSummary]>([])
    let task = Task { await keeper.run { hosts in reported.withLock { $0 = hosts } } }
    defer { task.cancel() }
    while await keeper.summaries.isEmpty { await Task.yield() }
    for app in ["second", "third", "fourth"] {
      try await keeper.add(
        FromInspector.Host {
          $0.executable = ProbeExecutable.path
          $0.arguments = ["host"]
          $0.app = app
        })
      let last = reported.withLock { $0.last }
      #expect(last?.app == app)
      #expect(last?.makes.contains(HostWorld.make) == true)
    }
  }
}

/// Keeps the summaries of started hosts.
private final class StartObserver: HostObserver {
  private let kept = Mutex<[ToInspector.HostSummary]>([])

  var started: [ToInspector.HostSummary] { kept.withLock { $0 } }

  func started(_ host: ToInspector.HostSummary) { kept.withLock { $0.append(host) } }

  func failed(_ host: ToInspector.HostSummary, problem: String) {}

  func wrote(_ line: String, host: String) {}

  func flush() {}
}
