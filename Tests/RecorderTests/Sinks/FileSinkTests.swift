import Foundation
import JSONCore
import Recorder
import StatesCore
import Synchronization
import Testing
import Timelines

@Suite("Recordings in files")
struct FileSinkTests {
  /// A folder that is gone after the test.
  private struct Folder: ~Copyable {
    let path = NSTemporaryDirectory() + "recordings-\(UUID().uuidString)"
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
  }

  private func recorder(_ path: String, log: @escaping @Sendable (String) -> Void = { _ in })
    -> StateRecorder
  {
    var options = RecorderOptions()
    options.destinations = [.file(path)]
    options.log = log
    return StateRecorder(app: "Tests", options: options, environment: RecorderEnvironment([:]))
  }

  private func read(_ path: String) throws -> Timeline {
    try TimelineFile.read([UInt8](Data(contentsOf: URL(filePath: path)))).timeline
  }

  @Test("a folder gets a file for each machine, which only this user can read")
  func folder() throws {
    let folder = Folder()
    let recorder = recorder(folder.path)
    let one = recorder.record(StateForm(state: 1), as: "a/../b")
    let other = recorder.record(StateForm(state: [1]), as: "other")
    one.apply { $0 += 1 }
    other.apply { $0.append(2) }
    #expect(recorder.flush(within: .seconds(120)))
    #expect(folder.names == ["a----b.timeline", "other.timeline"])
    #expect(try read("\(folder.path)/other.timeline").end?.state == [1, 2])
    let attributes = try FileManager.default.attributesOfItem(
      atPath: "\(folder.path)/other.timeline")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("a file in a folder that does not exist creates the folder")
  func missingFolder() throws {
    let folder = Folder()
    let path = "\(folder.path)/nested/one.timeline"
    let recorder = recorder(path)
    recorder.record(StateForm(state: 1), as: "one").apply { $0 = 2 }
    recorder.close(within: .seconds(120))
    #expect(try read(path).end?.state == 2)
    #expect(recorder.statistics.lost == 0)
  }

  @Test(
    "a file that could not be created begins as soon as it can, with a state as soon as possible")
  func later() throws {
    let folder = Folder()
    // A file where the folder should be.
    #expect(FileManager.default.createFile(atPath: folder.path, contents: nil))
    let recorder = recorder(folder.path)
    // Patches are far shorter than the state: no keyframe would be due for long.
    let list = recorder.record(
      StateForm(state: (0..<1_000).map { "an entry of the list, number \($0)" }), as: "list")
    for number in 0..<5 { list.apply { $0[number] = "changed" } }
    #expect(recorder.flush(within: .seconds(120)))
    #expect(recorder.statistics.lost == 6)
    #expect(recorder.statistics.lastError?.contains("cannot be created") == true)
    try FileManager.default.removeItem(atPath: folder.path)
    for number in 5..<20 {
      list.apply { $0[number] = "changed" }
      #expect(recorder.flush(within: .seconds(120)))
    }
    let timeline = try read("\(folder.path)/list.timeline")
    #expect(timeline.entries.first?.gap?.lost == 6 && timeline.lastSeq == 20)
    #expect(timeline.entries.count { $0.isThinned } <= 1)
    let end = try JSON(parsing: CanonicalEncoder().encode(list.state))
    #expect(timeline.end?.state == end)
    #expect(timeline.disagreements().isEmpty)
  }

  @Test("a name that is taken gets a number, and nothing is overwritten")
  func taken() throws {
    let folder = Folder()
    for _ in 0..<2 {
      let recorder = recorder(folder.path)
      let form = recorder.record(StateForm(state: 1), as: "form")
      form.apply { $0 += 1 }
      #expect(recorder.close(within: .seconds(120)))
    }
    #expect(folder.names == ["form-2.timeline", "form.timeline"])
  }

  @Test("more machines than open files lose nothing")
  func manyMachines() throws {
    let folder = Folder()
    let recorder = recorder(folder.path)
    let forms = (0..<300).map { recorder.record(StateForm(state: 0), as: "form \($0)") }
    for round in 1...3 {
      for form in forms { form.apply { $0 = round } }
      #expect(recorder.flush(within: .seconds(120)))
    }
    #if os(Linux)
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/self/fd/\($0)")
        return target?.hasPrefix(folder.path) == true
      }
      #expect(open == 256)
    #endif
    #expect(recorder.close(within: .seconds(120)) && recorder.statistics.lost == 0)
    for name in folder.names {
      let timeline = try read("\(folder.path)/\(name)")
      #expect(timeline.entries.map(\.seq) == [0, 1, 2, 3] && timeline.end?.state == 3)
    }
    #expect(folder.names.count == 300)
  }

  /// What can happen to a file while its machine runs.
  enum Harm: CaseIterable {
    case folderIsDeleted, fileIsDeleted, fileIsReplaced, fileIsChanged

    func happen(to file: String) throws {
      switch self {
      case .folderIsDeleted:
        try FileManager.default.removeItem(
          atPath: URL(filePath: file).deletingLastPathComponent().path)
      case .fileIsDeleted: try FileManager.default.removeItem(atPath: file)
      case .fileIsReplaced:
        try FileManager.default.removeItem(atPath: file)
        try Data("other".utf8).write(to: URL(filePath: file))
      case .fileIsChanged: try Data("other".utf8).write(to: URL(filePath: file))
      }
    }

    var isOtherFileThere: Bool { self == .fileIsReplaced || self == .fileIsChanged }
  }

  @Test(
    "a file that is deleted or changed by others is left alone, and the recording continues in another",
    arguments: Harm.allCases, [1, 300])
  func harmedFile(harm: Harm, machines: Int) throws {
    let folder = Folder()
    let recorder = recorder(folder.path)
    let list = recorder.record(
      StateForm(state: (0..<1_000).map { "an entry of the list, number \($0)" }), as: "list")
    list.apply { $0[0] = "changed" }
    // With more machines than open files, the file is closed at this moment.
    let others = (1..<machines).map { recorder.record(StateForm(state: 0), as: "other \($0)") }
    #expect(recorder.flush(within: .seconds(120)))
    try harm.happen(to: "\(folder.path)/list.timeline")
    for number in 1..<20 {
      list.apply { $0[number] = "changed" }
      #expect(recorder.flush(within: .seconds(120)))
    }
    #expect(recorder.close(within: .seconds(120)) && recorder.statistics.lost == 0)
    let path = "\(folder.path)/list.timeline"
    if harm.isOtherFileThere {
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "other")
    }
    let timeline = try read(harm.isOtherFileThere ? "\(folder.path)/list-2.timeline" : path)
    let why = "the file before this one is gone"
    #expect(timeline.entries.first?.gap == Gap(lost: 2, why: why) && timeline.lastSeq == 20)
    #expect(timeline.entries.count { $0.isThinned } <= 1)
    #expect(timeline.end?.state == (try JSON(parsing: CanonicalEncoder().encode(list.state))))
    #expect(timeline.disagreements().isEmpty)
    withExtendedLifetime(others) {}
  }

  @Test("links are not followed")
  func link() throws {
    let folder = Folder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/x.timeline", withDestinationPath: "\(folder.path)/victim")
    let recorder = recorder("\(folder.path)/x.timeline")
    let form = recorder.record(StateForm(state: 1), as: "form")
    form.apply { $0 += 1 }
    #expect(recorder.close(within: .seconds(120)))
    #expect(folder.names == ["x-2.timeline", "x.timeline"])
  }

  @Test("a name that is too long is reported as that, and not as a folder without permission")
  func longName() throws {
    let lines = Mutex<[String]>([])
    let folder = Folder()
    let path = "\(folder.path)/\(String(repeating: "n", count: 300)).timeline"
    let recorder = recorder(path) { line in lines.withLock { $0.append(line) } }
    recorder.record(StateForm(state: 1), as: "form").apply { $0 += 1 }
    #expect(recorder.close(within: .seconds(120)))
    let why = "\(path) cannot be created: File name too long. To fix, use a shorter path."
    #expect(lines.withLock(\.self).first?.hasSuffix(why) == true, "\(lines.withLock(\.self))")
  }

  @Test("a folder that cannot be created is reported once, and at the end with the missing entries")
  func nowhere() throws {
    let lines = Mutex<[String]>([])
    let recorder = recorder("/proc/nowhere") { line in lines.withLock { $0.append(line) } }
    let form = recorder.record(StateForm(state: 1), as: "form")
    for _ in 0..<10 { form.apply { $0 += 1 } }
    #expect(recorder.close(within: .seconds(120)))
    #expect(recorder.statistics.lost == 11)
    #expect(recorder.statistics.lastError != nil)
    let why = """
      The folder /proc/nowhere cannot be created: No such file or directory. To fix, record to a \
      folder that you can write to.
      """
    #expect(
      lines.withLock(\.self) == [
        why, "11 entries are missing from the recordings in /proc/nowhere: \(why)",
      ])
  }
}
