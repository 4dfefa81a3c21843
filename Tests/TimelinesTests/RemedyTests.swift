import JSONCore
import Testing
import Timelines
import Wire

@Suite("What errors about timelines advise")
struct TimelinesRemedyTests {
  @Test(
    "a file's",
    arguments: [
      (
        TimelineFileError.Reason.byteOrderMark,
        "the file begins with a byte order mark; to fix, save it as UTF-8 without one"
      ),
      (
        .compressed, "the file is compressed; to fix, unpack it: zstd -d FILE.timeline.zst"
      ),
      (.gzip, "the file is compressed; to fix, unpack it: gunzip FILE.timeline.gz"),
      (
        .secondHeader,
        "a second header, but a file holds one timeline; to fix, split the file before this line"
      ),
    ])
  func file(reason: TimelineFileError.Reason, text: String) {
    #expect(reason.description == text)
  }

  @Test("an edit's of the first entry")
  func edit() {
    #expect(
      EditError.Reason.isStart(4).description == """
        the timeline begins with entry 4, which has no event and nothing before it; to fix, change \
        what it begins with by 'start'
        """)
  }

  @Test("a protocol's that is newer")
  func newer() {
    let version = #expect(throws: MessageError.self) {
      try Envelope<FromRecorder>(
        reading: Array(#"{"type":"hello","version":"2.0"}"#.utf8), maxMessage: 1_000)
    }
    #expect(
      version?.description == """
        The other end speaks version 2.0 of the protocol, this one 1.0. To fix, update the older of \
        the two.
        """)
  }

  @Test(
    "a session's that may do less than was asked for",
    arguments: [
      (Capability.look, "cannot read recordings. To open one that can, run: debugd open"),
      (.change, "can only look. To open one that can change recordings, run: debugd open"),
      (.control, "cannot control machines. To open one that can, run: debugd open"),
      (.push, "cannot add timelines. To get a key that can, run: debugd open --key push"),
      (.host, "cannot start hosts. To open one that can, run: debugd open --host"),
    ])
  func session(capability: Capability, text: String) {
    #expect(capability.refusal(for: []) == "This session \(text)")
    #expect(
      capability.refusal(for: [.push])
        == "This key can only push timelines. To get a session that can do more, run: debugd open")
  }
}
