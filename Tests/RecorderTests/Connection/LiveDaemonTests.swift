import Foundation
import Synchronization
import TestSupport
import Testing
import Timelines

@testable import Recorder

/// A recorder's sink against a daemon of another language, over real sockets.
@Suite("Daemon sink over sockets")
struct LiveDaemonTests {
  /// A daemon that can be killed and started again on the same folder.
  final class Stage {
    let folder: TemporaryFolder
    let arguments: [String]
    let usesSocket: Bool
    var daemon: ChildProcess?
    var port = 0

    init(_ arguments: [String] = [], usesSocket: Bool = true) throws {
      folder = try TemporaryFolder()
      self.arguments = arguments
      self.usesSocket = usesSocket
    }

    var socket: String { folder.path("recorder.sock") }

    func start(_ more: [String] = []) throws {
      let place = usesSocket ? ["--socket", socket] : []
      let daemon = try ChildProcess.python(
        "recorder_daemon.py", [folder.url.path] + place + arguments + more)
      let ready = try #require(daemon.line(beginning: "ready"), "\(daemon.lines)")
      port = try #require(Int(ready.dropFirst("ready ".count)))
      self.daemon = daemon
    }

    func kill() throws {
      let daemon = try #require(daemon)
      daemon.kill()
      _ = daemon.end()
    }

    var address: DaemonAddress {
      usesSocket ? .socket(socket) : .network(host: "127.0.0.1", port: port, isSecure: false)
    }

    /// The timeline that was stored.
    func stored(_ header: Header) throws -> Timeline {
      let bytes = try Data(contentsOf: URL(filePath: folder.path("\(header.timeline).timeline")))
      return try TimelineFile.read(Array(bytes)).timeline
    }

    func checkNoComplaint() throws {
      let complaints = try #require(daemon).lines.filter {
        !$0.hasPrefix("ready") && !$0.hasPrefix("closed")
      }
      #expect(complaints.isEmpty)
    }
  }

  @Test(
    "what an app's options say of buffer, spill file and batches holds on the way to a daemon",
    arguments: [true, false])
  func options(spills: Bool) throws {
    let stage = try Stage(["--most", "7"], usesSocket: true)
    var options = RecorderOptions()
    options.log = { _ in }
    options.destinations = [.daemon(DaemonDestination(address: "\(stage.address)"))]
    options.bufferBytes = 60_000
    options.spillPath = spills ? stage.folder.path("spill") : nil
    options.spillBytes = 4 << 20
    options.batches.entries = 7
    options.batches.bytes = 4 << 10
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    let cart = recorder.machine("cart", initial: 0)
    for number in 1...3_000 { cart.record("added", state: number) }
    // There is no daemon: what does not fit into the buffer goes into the spill file, if there is
    // one.
    #expect(eventually { recorder.statistics.recorded == 3_001 })
    #expect(!recorder.flush(within: .milliseconds(300)))
    try stage.start()
    #expect(eventually { recorder.flush(within: .seconds(120)) })
    let counts = recorder.statistics
    #expect((counts.lost == 0) == spills, "\(counts)")
    #expect(counts.acknowledged + counts.lost == 3_001, "\(counts)")
    recorder.close(within: .seconds(120))
    try stage.checkNoComplaint()
  }

  @Test("delivers every entry once to a daemon that misbehaves, crashes, and restarts")
  func chaos() throws {
    let stage = try Stage()
    try stage.start(["--chaos", "7"])
    let sink = DaemonSink([SocketTransport(stage.address)], options: DaemonSinkTests.options())
    defer { sink.end() }
    var producer = try LineProducer()
    sink.open(producer.header)
    for round in 0..<200 {
      sink.append(producer.next(50)[...], to: producer.header.timeline)
      producer.obey(sink.drainRequests())
      _ = sink.flush(within: .milliseconds(2))
      if round % 50 == 49 {
        try stage.checkNoComplaint()
        try stage.kill()
        try stage.start(["--chaos", "\(round)"])
      }
    }
    try stage.checkNoComplaint()
    try stage.kill()
    try stage.start()
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.close(producer.header.timeline, gap: nil)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    #expect(try #require(stage.daemon).line(beginning: "closed") != nil)
    try stage.checkNoComplaint()
    let timeline = try stage.stored(producer.header)
    #expect(timeline.entries.count == 10_000 && timeline.lost.isEmpty && timeline.thinned.isEmpty)
    #expect(sink.status.counts.acknowledged == 10_000)
  }

  @Test("authenticates over TCP, and waits for a daemon that is started later")
  func network() throws {
    let stage = try Stage(usesSocket: false)
    let secret = stage.folder.path("secret")
    try Data("one secret of two".utf8).write(to: URL(filePath: secret))
    try stage.start(["--secret", secret])
    let sink = DaemonSink(
      [SocketTransport(stage.address)],
      options: DaemonSinkTests.options { $0.trusts = [.secret(Array("one secret of two".utf8))] })
    defer { sink.end() }
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(100)[...], to: producer.header.timeline)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    try stage.checkNoComplaint()
    #expect(try stage.stored(producer.header).entries.count == 100)
  }

  @Test("over TLS accepts only the configured certificate")
  func secure() throws {
    let certificate = try Certificate()
    let stage = try Stage(
      ["--certificate", certificate.certificatePath, "--key", certificate.keyPath],
      usesSocket: false)
    let secret = stage.folder.path("secret")
    let words = "one secret of two"
    try Data(words.utf8).write(to: URL(filePath: secret))
    try stage.start(["--secret", secret])
    let other = String(repeating: "0", count: 64)
    let trusts: [(trust: DaemonTrust, isTaken: Bool)] = [
      (.fingerprint(certificate.fingerprint), true),
      (.authority(path: certificate.certificatePath), true),
      (.system, false), (.fingerprint(other), false),
    ]
    for (trust, isTaken) in trusts {
      var options = RecorderOptions()
      options.log = { _ in }
      options.destinations = [
        .daemon(
          DaemonDestination(
            address: "wss://localhost:\(stage.port)", secret: words, trust: trust))
      ]
      let recorder = StateRecorder(
        app: "Tests", options: options, environment: RecorderEnvironment([:]))
      recorder.machine("cart", initial: 1).record("added", state: 2)
      #expect(
        recorder.flush(within: isTaken ? .seconds(120) : .milliseconds(300)) == isTaken,
        "\(trust): \(recorder.statistics)")
      if !isTaken {
        #expect(eventually { recorder.statistics.lastError != nil }, "\(trust)")
        #expect(recorder.statistics.acknowledged == 0)
      } else {
        let counts = recorder.statistics
        #expect(counts.sent == 2 && counts.acknowledged == 2 && counts.bytes > 0, "\(counts)")
      }
      recorder.close(within: .milliseconds(100))
    }
    try stage.checkNoComplaint()
  }

  @Test("sends nothing to a daemon with a wrong secret, and reports it")
  func wrongSecret() throws {
    let stage = try Stage(usesSocket: false)
    let secret = stage.folder.path("secret")
    try Data("one secret of two".utf8).write(to: URL(filePath: secret))
    try stage.start(["--secret", secret])
    let sink = DaemonSink(
      [SocketTransport(stage.address)],
      options: DaemonSinkTests.options { $0.trusts = [.secret(Array("another".utf8))] })
    defer { sink.end() }
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(100)[...], to: producer.header.timeline)
    #expect(eventually { sink.status.problem?.contains("does not know the secret") == true })
    #expect(sink.status.counts.sent == 0)
    try stage.checkNoComplaint()
  }

  @Test("logs once that the secret is wrong, and how many entries were not sent")
  func wrongSecretAtTheEnd() throws {
    let stage = try Stage(usesSocket: false)
    let secret = stage.folder.path("secret")
    try Data("one secret of two".utf8).write(to: URL(filePath: secret))
    try stage.start(["--secret", secret])
    let log = Mutex<[String]>([])
    var options = RecorderOptions()
    options.log = { text in log.withLock { $0.append(text) } }
    options.destinations = [
      .daemon(
        DaemonDestination(
          address: "ws://127.0.0.1:\(stage.port)", secret: "another of sixteen"))
    ]
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    recorder.machine("cart", initial: 1).record("added", state: 2)
    #expect(eventually { recorder.statistics.lastError != nil })
    #expect(!recorder.close(within: .seconds(60)))
    let reason = try #require(recorder.statistics.lastError)
    #expect(reason.contains("does not know the secret"))
    // It goes on trying for a few seconds after the end.
    #expect(eventually { recorder.statistics.lost == 2 })
    // It is logged after it is counted.
    let unsent = "2 entries were not sent to the daemon, for the reason above."
    #expect(eventually { log.withLock { $0.contains(unsent) } })
    let lines = log.withLock { $0 }
    #expect(lines.count { $0.contains(reason) } == 1, "\(lines)")
    #expect(lines.last == unsent)
    #expect(recorder.statistics.lastError == reason)
  }

  @Test("names causes in the timeline that follows a deleted one")
  func causesAfterDeletion() throws {
    let stage = try Stage()
    try stage.start(["--delete", "3"])
    var options = RecorderOptions()
    options.log = { _ in }
    options.destinations = [.daemon(DaemonDestination(address: "\(stage.address)"))]
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    let cart = recorder.machine("cart", initial: 0)
    var count = 0
    let reopened = eventually {
      count += 1
      cart.record("added", state: count)
      _ = recorder.flush(within: .seconds(120))
      return (try? FileManager.default.contentsOfDirectory(atPath: stage.folder.url.path))
        .map { $0.count { $0.hasSuffix(".timeline") } } == 2
    }
    #expect(reopened)
    cart.record("requested", state: count)
    cart.causing { cart.record("arrived", state: count + 1) }
    #expect(recorder.close(within: .seconds(120)))
    let files = try FileManager.default.contentsOfDirectory(atPath: stage.folder.url.path)
    let timelines = try files.filter { $0.hasSuffix(".timeline") }.map { name in
      try TimelineFile.read(Array(Data(contentsOf: URL(filePath: stage.folder.path(name)))))
        .timeline
    }
    let last = try #require(timelines.first { $0.entries.last?.eventName == "arrived" })
    let seqs = last.entries.suffix(2).map(\.seq)
    #expect(last.entries.suffix(2).map(\.eventName) == ["requested", "arrived"])
    #expect(last.entries.last?.cause == seqs.first.map(EntryCause.here))
    #expect(timelines.count == 2 && last.entries.first?.seq == 0)
  }

  @Test("disconnects from a daemon of a newer version, and reports it")
  func newerVersion() throws {
    let stage = try Stage()
    try stage.start(["--version", "2.0"])
    let sink = DaemonSink([SocketTransport(stage.address)], options: DaemonSinkTests.options())
    defer { sink.end() }
    #expect(eventually { sink.status.problem?.contains("2.0") == true })
    #expect(!sink.status.isConnected)
  }

  @Test("does not connect to a socket that another user could have created")
  func foreignDirectory() throws {
    let stage = try Stage()
    try stage.start()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: stage.folder.url.path)
    let sink = DaemonSink([SocketTransport(stage.address)], options: DaemonSinkTests.options())
    defer { sink.end() }
    let folder = stage.folder.url.path
    let advice = """
      Other users can write to \(folder), so the socket may not be yours. To fix, run: \
      chmod 700 \(folder)
      """
    #expect(eventually { sink.status.problem == advice }, "\(sink.status.problem ?? "")")
    #expect(try Shell.run("chmod 700 \(folder)") == 0)
    #expect(eventually { sink.status.isConnected })
  }

  @Test("never blocks the recorder while the daemon is stopped, and stays within its limits")
  func stoppedDaemon() throws {
    let stage = try Stage()
    try stage.start()
    let sink = DaemonSink(
      [SocketTransport(stage.address)],
      options: DaemonSinkTests.options { $0.outbox.bytes = 400_000 }
    )
    defer { sink.end() }
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(1)[...], to: producer.header.timeline)
    #expect(eventually { sink.status.isConnected })
    try #require(stage.daemon).signal(SIGSTOP)
    // The daemon answers nothing until all are appended: one wait for it would never end.
    for _ in 0..<200 {
      let entries = producer.next(200)
      sink.append(entries[...], to: producer.header.timeline)
      producer.obey(sink.drainRequests())
      #expect(sink.status.bytes <= 400_000)
    }
    try #require(stage.daemon).signal(SIGCONT)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    try stage.checkNoComplaint()
    let timeline = try stage.stored(producer.header)
    let lost = timeline.lost.reduce(0) { $0 + $1.seqs.count }
    #expect(timeline.entries.count + lost == 40_001)
    #expect(lost > 0)
  }
}
