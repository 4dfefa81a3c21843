import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("What a daemon sink reports")
struct DaemonSinkReportTests {
  @Test("the file of an authority that did not issue the certificate is named")
  func otherAuthority() {
    var core = DaemonSinkCore(
      DaemonSinkTests.options {
        $0.requestedAddresses = [DaemonAddress("wss://127.0.0.1:7357")].compactMap(\.self)
        $0.certificate = .authority(path: "/etc/own.pem")
      })
    core.start()
    var notes: [String] = []
    var now = Duration.zero
    for _ in 0..<200 {
      guard case .work(let work) = core.turn(now: now) else {
        now += .milliseconds(1)
        continue
      }
      for case .log(let note) in work { notes.append(note) }
      for case .connect(let generation, _) in work {
        let reason = "the server's certificate is not from a trusted authority"
        core.enqueue(.closed(code: nil, reason: reason), generation: generation)
      }
    }
    let advice = """
      To fix, put the certificate of the authority that issued it into /etc/own.pem, the file that \
      DEBUGD_AUTHORITY names, or set DEBUGD_FINGERPRINT to the certificate's SHA-256.
      """
    #expect(notes.count == 1 && notes.first?.hasSuffix(advice) == true, "\(notes)")
  }

  @Test("is silent about a full buffer if no daemon was requested and none was found")
  func silentOverflow() throws {
    for address in [nil, DaemonAddress("ws://127.0.0.1:7357")] {
      var core = DaemonSinkCore(
        DaemonSinkTests.options {
          $0.requestedAddresses = [address].compactMap(\.self)
          $0.outbox.bytes = 10_000
          $0.outbox.groupBytes = 1_000
        })
      var producer = try LineProducer()
      core.outbox.open(producer.header)
      _ = core.outbox.append(producer.next(1_000)[...], to: producer.header.timeline, now: .zero)
      #expect(core.outbox.counts.dropped > 0)
      #expect((core.lossMessage() == nil) == (address == nil))
    }
  }
}
