import Foundation
import TestSupport
import Testing
import Timelines

#if os(Linux)
  @Suite("Few file descriptors")
  struct FewDescriptorsTests {
    @Test("record any number of machines without a loss, and a message says so when none is left")
    func descriptors() throws {
      let place = try TemporaryFolder()
      let folder = place.path("recordings")
      let probe = try ChildProcess(
        ChildProcess.built("RecorderProbe"), ["fewDescriptors", folder], mergesErrors: true)
      #expect(probe.end() == 0)
      let why = """
        A recording in \(folder)/none cannot be created: Too many open files. To fix, raise ulimit -n.
        """
      #expect(
        probe.lines.filter { $0.hasPrefix("recorder: ") } == [
          "recorder: \(why)",
          "recorder: 3 entries are missing from the recordings in \(folder)/none: \(why)",
          """
          recorder: Nothing is sent to a daemon: no file descriptors are left. To fix, raise ulimit -n.
          """,
        ])
      #expect(probe.lines.filter { !$0.hasPrefix("recorder: ") } == ["0", "3"])
      for number in 0..<100 {
        let file = URL(filePath: "\(folder)/many/form \(number).timeline".replacing(" ", with: "-"))
        let timeline = try TimelineFile.read([UInt8](Data(contentsOf: file))).timeline
        #expect(timeline.entries.map(\.seq) == [0, 1, 2])
      }
    }
  }
#endif
