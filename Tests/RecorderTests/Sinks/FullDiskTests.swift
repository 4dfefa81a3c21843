import Foundation
import JSONCore
import Recorder
import TestSupport
import Testing
import Timelines

#if os(Linux)
  @Suite("A file that cannot grow")
  struct FullDiskTests {
    /// The limit stands in for a full disk: the system refuses what would go beyond it in the same
    /// way, after having taken a part. It holds for the whole process, so it is tried in another one.
    @Test("loses entries, counts them, and continues with a gap when there is room again")
    func fullDisk() throws {
      let place = try TemporaryFolder()
      let folder = place.path("recordings")
      let probe = try ChildProcess(
        ChildProcess.built("RecorderProbe"), ["fullDisk", folder], mergesErrors: true)
      #expect(probe.end() == 0)
      let lost = try #require(probe.lines.last.flatMap { Int64($0) })
      #expect(lost > 0)
      let why = """
        The recording of list cannot be written: File too large. To fix, raise ulimit -f, \
        or use another file system.
        """
      #expect(
        probe.lines.dropLast() == [
          "recorder: \(why)",
          "recorder: \(lost) entries are missing from the recordings in \(folder): \(why)",
        ])
      let bytes = try Data(contentsOf: URL(filePath: "\(folder)/list.timeline"))
      let contents = try TimelineFile.read([UInt8](bytes))
      #expect(contents.torn == nil)
      let timeline = contents.timeline
      #expect(timeline.lost.reduce(0) { $0 + Int64($1.seqs.count) } == lost)
      #expect(timeline.lastSeq == 61)
      #expect(timeline.end?.state["count"] == 61)
      #expect(timeline.disagreements().isEmpty)
    }
  }
#endif
