import Dispatch
import Synchronization
import TestSupport
import Testing
import Timelines
import Wire

@testable import Recorder

@Suite("Daemon sink")
struct DaemonSinkTests {
  /// Options that retry immediately, so that a test takes no longer than its work.
  static func options(_ change: (inout DaemonSinkOptions) -> Void = { _ in }) -> DaemonSinkOptions {
    var options = DaemonSinkOptions()
    options.retry.first = .milliseconds(1)
    options.retry.longest = .milliseconds(2)
    options.retry.afterRefusal = .milliseconds(2)
    change(&options)
    return options
  }

  /// What must be true of one timeline at the end.
  static func check(
    _ transport: FakeTransport, _ producer: LineProducer, _ comment: Comment
  ) throws {
    let (kept, complaints) = transport.state.withLock {
      ($0.daemon.kept[producer.header.timeline], $0.complaints)
    }
    #expect(complaints.isEmpty, comment)
    let timeline = try #require(kept, comment).timeline
    let lost = timeline.lost.reduce(0) { $0 + Int64($1.seqs.count) }
    let atTheEnd = kept?.end?.gap?.lost ?? 0
    #expect(Int64(timeline.entries.count) + lost + atTheEnd == producer.last + 1, comment)
  }

  @Test("delivers every entry once, whatever the daemon does", arguments: [UInt64](1...6))
  func chaos(seed: UInt64) throws {
    let transport = FakeTransport(
      FakeTransport.Habits(
        refuses: 0.3, breaks: 0.02, acknowledges: 0.4, repeats: 0.2, lies: 0.03, credit: 60_000,
        babbles: 0.05), seed: seed)
    let sink = DaemonSink([transport], options: Self.options())
    var producer = try LineProducer()
    sink.open(producer.header)
    // Long enough for the daemon to have shown what it can do.
    var rounds = 0
    while rounds < 4_000, rounds < 100 || !transport.state.withLock({ $0.hasMisbehaved }) {
      rounds += 1
      sink.append(producer.next(15)[...], to: producer.header.timeline)
      producer.obey(sink.drainRequests())
      _ = sink.flush(within: .milliseconds(2))
    }
    transport.behave()
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.close(producer.header.timeline, gap: nil)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.end()
    try Self.check(transport, producer, "seed \(seed)")
    let state = transport.state.withLock { $0 }
    let timeline = try #require(state.daemon.kept[producer.header.timeline]).timeline
    #expect(timeline.lost.isEmpty && timeline.thinned.isEmpty)
    #expect(state.hasMisbehaved)
  }

  @Test(
    "a daemon that was asked for and cannot be used is reported once, with something to do",
    arguments: [
      (
        "wss://example.org:7357", "the certificate is not trusted",
        """
        To fix, name its authority's certificates in DEBUGD_AUTHORITY, or its own fingerprint in \
        DEBUGD_FINGERPRINT.
        """
      ),
      (
        "wss://127.0.0.1:7357", "connect SSL err 1: error:00000001:lib(0)::reason(1)",
        """
        To fix, check the address that the daemon logs. If it begins with http://, record to \
        ws://127.0.0.1:7357. Otherwise another program listens there.
        """
      ),
      (
        "wss://127.0.0.1:7357", "the server's certificate is for another host name",
        """
        To fix, write a name from the certificate in the address, or set DEBUGD_FINGERPRINT to the \
        certificate's SHA-256.
        """
      ),
      (
        "wss://example.org:7357", "the server's certificate has expired",
        "To fix, renew the daemon's certificate, or set DEBUGD_FINGERPRINT to its SHA-256."
      ),
      (
        "wss://example.org:7357", "the server's certificate does not have the expected fingerprint",
        "To fix, set DEBUGD_FINGERPRINT to the SHA-256 of the certificate that the daemon uses."
      ),
      (
        "ws://nosuch.example:7357", "the host name nosuch.example cannot be resolved",
        "nosuch.example cannot be resolved. To fix, correct it in DEBUGD."
      ),
      (
        "ws://127.0.0.1:7357", "read failed",
        """
        To fix, check the address that the daemon logs. If it begins with https://, record to \
        wss://127.0.0.1:7357. Otherwise another program listens there.
        """
      ),
      (
        "ws://127.0.0.1:7357", "Connection refused.",
        "To fix, start it there: debugd serve --listen 127.0.0.1:7357"
      ),
      ("ws://localhost:7357", "Connection refused.", " --listen 127.0.0.1:7357"),
      ("ws://[::1]:7357", "Connection refused.", " --listen [::1]:7357"),
      (
        "ws://10.0.0.2:80", "Connection refused.",
        """
        To fix, start it there with TLS: debugd serve --listen 10.0.0.2:80 --certificate FILE --key \
        FILE. Then record to wss://10.0.0.2:80, with the certificate's SHA-256 in \
        DEBUGD_FINGERPRINT. Only in a network where everyone may read the recordings, use \
        --insecure instead of both files.
        """
      ),
      (
        "ws://box.local:7357", "Connection refused.",
        """
         --listen 0.0.0.0:7357 --name box.local --certificate FILE --key FILE. Then record to \
        wss://box.local:7357, with the certificate's SHA-256 in DEBUGD_FINGERPRINT. Only in a network where everyone may \
        read the recordings, use --insecure instead of both files.
        """
      ),
      (
        "ws://[fe80::2]:80", "Connection refused.",
        """
         --listen [fe80::2]:80 --certificate FILE --key FILE. Then record to wss://[fe80::2]:80, \
        with the certificate's SHA-256 in DEBUGD_FINGERPRINT. Only in a network where everyone may \
        read the recordings, use --insecure instead of both files.
        """
      ),
      (
        "wss://box.local:7357", "Connection refused.",
        """
        To fix, start it there: debugd serve --listen 0.0.0.0:7357 --name box.local --certificate \
        FILE --key FILE
        """
      ),
      (
        "unix:/run/none.sock", "There is no socket.",
        "To fix, start it: debugd serve --socket /run/none.sock"
      ),
    ])
  func unusable(address: String, problem: String, advice: String) throws {
    var core = DaemonSinkCore(
      Self.options { $0.requestedAddresses = [DaemonAddress(address)].compactMap(\.self) })
    var producer = try LineProducer()
    core.outbox.open(producer.header)
    _ = core.outbox.append(producer.next(7)[...], to: producer.header.timeline, now: .zero)
    core.start()
    var notes: [String] = []
    var now = Duration.zero
    for _ in 0..<200 {
      switch core.turn(now: now) {
      case .work(let work):
        for case .log(let note) in work { notes.append(note) }
        for case .connect(let generation, _) in work {
          core.enqueue(.closed(code: nil, reason: problem), generation: generation)
        }
      case .wait, .end: now += .milliseconds(1)
      }
    }
    #expect(notes.count == 1 && notes.first?.hasSuffix(advice) == true, "\(notes)")
    #expect(notes.first?.contains("\(address) cannot be used: \(problem)") == true, "\(notes)")
    let unsent = "7 entries were not sent to the daemon, for the reason above."
    #expect(core.unsentMessage("it ends") == unsent)
    #expect(
      DaemonSinkCore.unsentAdvice(isConnected: true)
        == "To fix, call close(within:) with more time, before the program ends.")
    #expect(
      DaemonSinkCore.unsentAdvice(isConnected: false)
        == "To fix, start the daemon, or record to a file.")
    core.countUnsentAsLost()
    #expect(core.unsentMessage("it ends") == nil && core.outbox.counts.dropped == 7)
    #expect(core.lossMessage() == nil)
  }

  @Test("reports how many entries did not fit, and which states were dropped")
  func pressure() throws {
    let transport = FakeTransport(FakeTransport.Habits(refuses: 1))
    let log = Mutex<[String]>([])
    let sink = DaemonSink(
      [transport],
      options: Self.options {
        $0.outbox.bytes = 60_000
        $0.outbox.groupBytes = 1_000
        $0.log = { line in log.withLock { $0.append(line) } }
      })
    var producer = try LineProducer()
    sink.open(producer.header)
    for _ in 0..<300 {
      sink.append(producer.next(10)[...], to: producer.header.timeline)
      producer.obey(sink.drainRequests())
      #expect(sink.status.bytes <= 60_000)
    }
    transport.behave()
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.end()
    try Self.check(transport, producer, "under pressure")
    let status = sink.status
    #expect(status.counts.recorded == 3_000 && status.counts.dropped > 0)
    let kept = transport.state.withLock { $0.daemon.kept[producer.header.timeline] }
    let lost = try #require(kept).timeline.lost
    #expect(lost.map(\.seqs.count).reduce(0, +) == status.counts.dropped)
    let losses = log.withLock { $0 }.filter { $0.contains("are lost on the way to the daemon") }
    let advice = "To fix, raise RecorderOptions.bufferBytes, or set RecorderOptions.spillPath."
    #expect(losses.first?.contains(advice) == true)
    #expect(losses.count == 1, "logged once, however much is lost: \(losses)")
  }

  @Test("keeps what does not fit into memory in the spill file, without states")
  func spilling() throws {
    let folder = try TemporaryFolder()
    let transport = FakeTransport(FakeTransport.Habits(refuses: 1))
    let sink = DaemonSink(
      [transport],
      options: Self.options {
        $0.outbox.bytes = 60_000
        $0.outbox.spillBytes = 4 << 20
        $0.spillPath = folder.path("spill")
      })
    var producer = try LineProducer()
    sink.open(producer.header)
    for _ in 0..<300 {
      sink.append(producer.next(10)[...], to: producer.header.timeline)
      producer.obey(sink.drainRequests())
    }
    #expect(sink.status.counts.spilled > 1_000)
    transport.behave()
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.end()
    let kept = transport.state.withLock { $0.daemon.kept[producer.header.timeline] }
    let timeline = try #require(kept).timeline
    #expect(timeline.entries.count == 3_000 && timeline.lost.isEmpty)
    #expect(timeline.entries.dropFirst().allSatisfy { $0.event != nil })
    #expect(sink.status.counts.dropped == 0)
  }

  @Test("drops the oldest when the spill file cannot be written")
  func fullDisk() throws {
    let transport = FakeTransport(FakeTransport.Habits(refuses: 1))
    let sink = DaemonSink(
      [transport],
      options: Self.options {
        $0.outbox.bytes = 60_000
        $0.outbox.spillBytes = 4 << 20
        $0.spillPath = "/dev/full/spill"
      })
    var producer = try LineProducer()
    sink.open(producer.header)
    for _ in 0..<200 {
      sink.append(producer.next(10)[...], to: producer.header.timeline)
      producer.obey(sink.drainRequests())
    }
    transport.behave()
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.end()
    try Self.check(transport, producer, "a full disk")
    let kept = transport.state.withLock { $0.daemon.kept[producer.header.timeline] }
    #expect(try #require(kept).timeline.lost.first?.why.contains("could not be written") == true)
  }

  @Test("waits for a daemon that it has not started to connect to")
  func flushAtOnce() throws {
    for _ in 0..<100 {
      let sink = DaemonSink([FakeTransport()], options: Self.options())
      var producer = try LineProducer()
      sink.open(producer.header)
      sink.append(producer.next(1)[...], to: producer.header.timeline)
      #expect(sink.flush(within: .seconds(120)))
      sink.end()
    }
  }

  @Test("at the end of the process waits for the daemon, as long as there is time")
  func handOver() throws {
    let transport = FakeTransport(FakeTransport.Habits(acknowledges: 0))
    let sink = DaemonSink([transport], options: Self.options())
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(10)[...], to: producer.header.timeline)
    let id = producer.header.timeline
    // It succeeds without an acknowledgement, once a connection stands.
    #expect(eventually { sink.handOver(within: .milliseconds(100)) })
    #expect(sink.status.kept > 0)
    let more = producer.next(1)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
      transport.behave()
      sink.append(more[...], to: id)
    }
    #expect(sink.handOver(within: .seconds(120)))
    #expect(sink.status.kept == 0)
    sink.end()
  }

  @Test("proves the secret to a daemon that proves it, too")
  func secret() throws {
    let transport = FakeTransport(secret: Array("a shared secret".utf8))
    let sink = DaemonSink(
      [transport], options: Self.options { $0.trusts = [.secret(Array("a shared secret".utf8))] })
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(10)[...], to: producer.header.timeline)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    sink.end()
    try Self.check(transport, producer, "with a secret")
  }

  @Test("asks the pipeline for another timeline when one was deleted")
  func gone() throws {
    let transport = FakeTransport()
    let log = Mutex<[String]>([])
    let sink = DaemonSink(
      [transport], options: Self.options { $0.log = { line in log.withLock { $0.append(line) } } })
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(10)[...], to: producer.header.timeline)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    let id = producer.header.timeline
    transport.send(Envelope(ToRecorder.gone(ToRecorder.Gone { $0.timeline = id })).encoded())
    #expect(eventually { sink.drainRequests() == [.reopen(id)] })
    sink.append(producer.next(10)[...], to: id)
    sink.close(id, gap: nil)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    #expect(sink.status.counts.dropped == 10)
    #expect(eventually { log.withLock { $0.contains { $0.contains("lost") } } })
    sink.end()
    let said = log.withLock { $0 }.filter { $0.contains("lost") }
    #expect(said.count == 1, "said once: \(said)")
    #expect(said.first?.contains("deleted from the daemon before they arrived") == true, "\(said)")
  }

  @Test("passes commands on and sends their answers back, once each")
  func commands() throws {
    let transport = FakeTransport()
    let handler = EchoHandler()
    let sink = DaemonSink([transport], options: Self.options(), handler: handler)
    var producer = try LineProducer()
    sink.open(producer.header)
    sink.append(producer.next(1)[...], to: producer.header.timeline)
    #expect(sink.flushAcrossReconnects(within: .seconds(120)))
    let id = producer.header.timeline
    transport.send(
      Envelope(
        ToRecorder.resume(
          ToRecorder.Resume {
            $0.timeline = id
            $0.lease = "c81f"
          }), id: .number(15)
      ).encoded())
    transport.send(Array(#"{"type":"resume","id":16}"#.utf8))
    transport.send(Array("no json".utf8))
    #expect(eventually { transport.state.withLock(\.answers.count) == 3 })
    let answers = transport.state.withLock(\.answers)
    #expect(Set(answers.map(\.re)) == [.number(15), .number(16), nil])
    #expect(sink.status.badFrames == 2)
    sink.end()
  }

  /// Answers every command with `done`.
  final class EchoHandler: CommandHandler {
    var abilities: FromRecorder.Abilities { FromRecorder.Abilities { $0.control = true } }
    func handle(_ command: RecorderCommand, answer: CommandAnswer) { answer.done(seq: 1) }
    func disconnected() {}
  }
}
