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
    @Test("loses entries, counts them, and goes on with a gap when there is room again")
    func fullDisk() throws {
      let folder = NSTemporaryDirectory() + "full-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let probe = Process()
      probe.executableURL = URL(filePath: ProbeExecutable.path)
      probe.arguments = ["fullDisk", folder]
      let pipe = Pipe()
      probe.standardOutput = pipe
      try probe.run()
      let output = pipe.fileHandleForReading.readDataToEndOfFile()
      probe.waitUntilExit()
      #expect(probe.terminationStatus == 0)
      let lost = try #require(
        Int64(String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)))
      #expect(lost > 0)
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
