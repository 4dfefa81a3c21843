import Foundation
import JSONCore
import RerunsSupport
import TestSupport
import Testing
import Timelines
import Wire

@testable import Reruns

@Suite("Hosts: an executable", .serialized)
struct ExecutableHostTests {
  private func host(
    _ spec: HostSpec = HostWorld.spec(), environment: [String: String] = [:],
    _ change: (inout HostSettings) -> Void = { _ in }
  ) -> ExecutableHost {
    var settings = HostSettings()
    change(&settings)
    return ExecutableHost(spec, named: "Probe", settings: settings, environment: environment)
  }

  @Test("reports what it makes, runs requests in order, and is kept warm")
  func runs() async throws {
    let host = host()
    try await host.prepare()
    let first = host.summary
    #expect(first.makes.starts(with: [HostWorld.make, "RecorderProbe.TroubledForm.make()"]))
    #expect(first.place == .process && first.started != nil && first.problem == nil)
    for _ in 0..<3 {
      let result = try await host.run([HostWorld.add, HostWorld.add])
      #expect(result.entries.map { $0["seq"] } == [1, 2] && result.ended == nil)
    }
    #expect(host.summary == first)
    async let one = host.run([HostWorld.add])
    async let two = host.run([HostWorld.add, HostWorld.add])
    #expect(try await [one.entries.count, two.entries.count] == [1, 2])
  }

  @Test(
    "a trap, a stack without end and an exit end the request at their entry, and the next one runs",
    arguments: [#"{"trapped":{}}"#, #"{"overflowed":{}}"#, #"{"exited":{}}"#])
  func traps(event: String) async throws {
    let host = host()
    let result = try await host.run([HostWorld.add, event, HostWorld.add])
    #expect(result.ended?.why == .trap)
    #expect(result.ended?.seq == (event.contains("exited") ? 1 : 2))
    let again = try await host.run([HostWorld.add])
    #expect(again.ended == nil && again.entries.count == 1)
    #expect(host.summary.restarted?.contains("started again") == true)
  }

  @Test("a reducer that never returns, and one that eats memory, are ended by the daemon's limits")
  func limits() async throws {
    let host = host { $0.milliseconds = 200 }
    let slept = try await host.run([HostWorld.add, #"{"slept":{}}"#], milliseconds: 60_000)
    #expect(slept.ended?.why == .limit && slept.ended?.message?.contains("time") == true)
    let eating = self.host { $0.bytes = 64 << 20 }
    let ate = try await eating.run([#"{"ate":{}}"#], bytes: 1 << 40)
    #expect(ate.ended?.why == .limit && ate.ended?.message?.contains("memory") == true)
    // Its limit is for this request too, which a busy machine may need several times for.
    var next = try await host.run([HostWorld.add])
    for _ in 0..<100 where next.ended != nil { next = try await host.run([HostWorld.add]) }
    #expect(next.entries.count == 1)
  }

  @Test("a canceled request ends at the host, and the next one runs")
  func cancels() async throws {
    let host = host { $0.milliseconds = 60_000 }
    try await host.prepare()
    let hanging = Task {
      try await host.run([#"{"slept":{}}"#], milliseconds: 60_000)
    }
    while !host.summary.busy { await Task.yield() }
    hanging.cancel()
    await #expect(throws: CancellationError.self) { try await hanging.value }
    #expect(try await host.run([HostWorld.add]).entries.count == 1)
  }

  @Test("a part that cannot be kept ends the request, and the next one runs")
  func partFails() async throws {
    struct Full: Error {}
    let host = host()
    await #expect(throws: Full.self) {
      try await host.reduce(try HostWorld.request([HostWorld.add])) { _ in throw Full() }
    }
    #expect(try await host.run([HostWorld.add]).entries.count == 1)
  }

  @Test("a host whose value is released ends its process")
  func releases() async throws {
    var host: ExecutableHost? = host(HostWorld.spec(["host", "letGo-\(getpid())"]))
    try await host?.prepare()
    #expect(Self.processes(with: "letGo-\(getpid())") == 1)
    host = nil
    while Self.processes(with: "letGo-\(getpid())") > 0 { await Task.yield() }
  }

  /// How many processes have a word among their arguments.
  private static func processes(with word: String) -> Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.count { name in
      guard Int(name) != nil,
        let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      else { return false }
      return line.split(separator: 0).contains { String(decoding: $0, as: UTF8.self) == word }
    }
  }

  @Test("it gets few variables, those that were added, and no open file")
  func surroundings() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    // A file that other children of this process would inherit.
    let path = folder + "/secret"
    let file = open(path, O_CREAT | O_RDWR, 0o600)
    defer { close(file) }
    setenv("HOSTS_TEST_SECRET", "reported", 1)
    let host = host(environment: ["TZ": "Pacific/Apia"])
    let result = try await host.run([
      #"{"variable":{"_0":"HOSTS_TEST_SECRET"}}"#, #"{"variable":{"_0":"TZ"}}"#,
      #"{"variable":{"_0":"STATES_HOST"}}"#, #"{"open":{"_0":"\#(path)"}}"#,
    ])
    let notes = result.entries.map { $0["patch"]?[0]?["value"] }
    #expect(notes == ["not set", "Pacific/Apia", "1", "not open"])
  }

  @Test("an executable whose file was replaced is restarted, and asked again what it makes")
  func rebuilt() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let path = folder + "/Probe"
    try HostWorld.copyProbe(to: path)
    let host = host(HostSpec(path: path, arguments: ["host"]))
    try await host.prepare()
    _ = try await host.run([HostWorld.add])
    #expect(!host.isOutdated && host.summary.restarted == nil)
    try HostWorld.copyProbe(to: path)
    #expect(host.isOutdated)
    let result = try await host.run([HostWorld.add])
    #expect(result.entries.count == 1)
    #expect(host.summary.restarted?.contains("file changed") == true)
    // While it is being built there is no file, and the old process continues.
    try FileManager.default.removeItem(atPath: path)
    #expect(try await host.run([HostWorld.add]).entries.count == 1)
    try HostWorld.script("echo '{\"type\":\"hello\",\"version\":\"1.0\"}'; read nothing", at: path)
    await #expect(throws: Refusal.self) { try await host.prepare() }
    #expect(host.summary.problem != nil)
  }

  @Test(
    "an executable that is not a host is refused with what to do",
    arguments: [
      ("", 0o600, "not executable"), ("exit 0", 0o700, "runIfAsked"),
      ("kill -9 $$", 0o700, "by signal 9"), ("yes", 0o700, "wrote other output"),
      ("cat", 0o700, "within 1 s"),
      (
        #"echo '{"type":"hello","version":"1.0"}'; cat"#, 0o700,
        "did not list the machines that it can make"
      ),
      (
        #"""
        make=$(head -c 70000 /dev/zero | tr '\0' x)
        echo '{"type":"hello","version":"1.0","can":{"host":{"place":"process","makes":["'$make'"]}}}'; cat
        """#, 0o700, "To fix, list fewer in the 'makes' of its hello."
      ),
      (#"echo '{"type":"hello","version":"9.0"}'; cat"#, 0o700, "newer"),
      ("head -c 40000000 /dev/zero; cat", 0o700, "a line that is too long"),
    ])
  func noHost(script: String, mode: Int, says: String) async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let path = folder + "/app"
    try HostWorld.script(script, at: path)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    // Only `cat` is meant to be late. The others must answer even on a busy machine.
    let limit: Int64 = script == "cat" ? 1_000 : 60_000
    let host = host(HostSpec(path: path)) { $0.startMilliseconds = limit }
    let error = await #expect(throws: Refusal.self) { try await host.prepare() }
    let message = error?.reply.message ?? ""
    #expect(message.contains(says) && message.contains("To fix"), "\(message)")
    #expect(host.summary.problem.map { message.contains($0) } == true)
    #expect(host.summary.started == nil)
  }

  @Test("a missing file is refused with its path, and used once it is there")
  func missing() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let path = folder + "/Probe"
    let host = host(HostSpec(path: path, arguments: ["host"]))
    let error = await #expect(throws: Refusal.self) { try await host.prepare() }
    #expect(error?.reply.message.contains("there is no file \(path)") == true)
    try HostWorld.copyProbe(to: path)
    #expect(host.isOutdated)
    try await host.prepare()
    #expect(host.summary.problem == nil && host.summary.makes.contains(HostWorld.make))
  }

  @Test("a file that its build has open is used once it is closed, though it is the same file")
  func beingWritten() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let path = folder + "/Probe"
    try HostWorld.copyProbe(to: path)
    let build = try Build(of: path)
    let host = host(HostSpec(path: path, arguments: ["host"]))
    let error = await #expect(throws: Refusal.self) { try await host.prepare() }
    let advice = "is being written. To fix, wait until its build is done"
    #expect(error?.reply.message.contains(advice) == true)
    build.end()
    #expect(host.isOutdated)
    try await host.prepare()
    #expect(host.summary.problem == nil && host.summary.makes.contains(HostWorld.make))
    #expect(!host.isOutdated)
  }

  @Test(
    "invalid answers are refused",
    arguments: [
      #"{"seq":7,"t":0,"event":{},"patch":[]}"#, #"{"t":0}"#, #"{"seq":"1"}"#, "17",
      #"{"seq":1,"t":0},{"seq":1,"t":0}"#, #"{"seq":1},{"seq":2},{"seq":3}"#, #"{"seq":1}"#,
    ])
  func garbage(entries: String) async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let path = folder + "/liar"
    let hello =
      #"{"type":"hello","version":"1.0","can":{"host":{"place":"process","makes":["\#(HostWorld.make)"]}}}"#
    try HostWorld.script(
      "echo '\(hello)'; read request; echo 'no json'; "
        + #"echo '{"type":"reduced","re":1,"entries":[\#(entries)]}'; cat"#, at: path)
    let host = host(HostSpec(path: path))
    let error = await #expect(throws: Refusal.self) {
      try await host.run([HostWorld.add, HostWorld.add])
    }
    #expect(error?.reply.message.contains("To fix") == true)
  }
}

/// A process that has an executable open for writing, as a linker has, and changes nothing of it.
private struct Build {
  private let process = Process()
  private let input = Pipe()

  init(of path: String) throws {
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", #"exec 3<>"$0"; echo open; read end"#, path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    #expect(output.fileHandleForReading.availableData == Data("open\n".utf8))
  }

  func end() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
