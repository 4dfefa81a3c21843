import DebugServer
import Foundation
import Timelines
import Wire

/// Writes the parts of an export as they come, and keeps the first thing that went wrong.
///
/// There may be several files: a test, and its fixture. A part under a new name begins the next one.
/// They appear together when all are complete, so that no test is left without its fixture.
actor ExportWriter {
  private let out: String?
  private let isTest: Bool
  private let replaces: Bool
  private let terminal: Terminal
  private var targets: [ExportTarget] = []
  private var current: String?
  /// A test for the output, until it is known to have no fixture.
  private var held: [UInt8] = []
  /// The beginning of a character whose end comes with the next part, for a terminal.
  private var cut: [UInt8] = []
  private let isJSON: Bool
  private var written: [(file: String, bytes: Int64)] = []
  private var problem: (any Error)?
  /// The beginning of the test's source, which has its imports.
  private(set) var source = ""
  /// The type that holds the test; its file is named after it.
  private var suite: String?

  /// Writes to a file, into a folder, or to the output when there is none.
  init(_ out: String?, _ format: ExportFormat, replaces: Bool, _ terminal: Terminal) throws {
    self.out = out
    self.replaces = replaces
    self.terminal = terminal
    isTest = format.isTest
    isJSON = [.timeline, .jsonLines, .redux, .fixture].contains(format)
    // Found out before anything is asked for.
    if let out, !isTest { targets = [try ExportTarget(path: out, replaces: replaces)] }
  }

  /// Writes a part.
  func receive(_ message: ToInspector) {
    guard problem == nil, case .export(let part) = message else { return }
    do {
      guard let data = Data(base64Encoded: part.data) else {
        throw BackendError.unexpected("a part that is not base64")
      }
      if current != part.name { try begin(part.name) }
      if isTest, written.count < 2, source.isEmpty {
        source = String(decoding: data, as: UTF8.self)
      }
      if let target = targets.last {
        try target.write(Array(data))
      } else if isTest {
        held += data
      } else {
        show(data)
      }
      if !written.isEmpty { written[written.count - 1].bytes += Int64(data.count) }
    } catch {
      problem = error
    }
  }

  /// Writes a part to the output: as it is for a program, and for a person as JSON of the same value, in
  /// which no character steers the terminal.
  private func show(_ data: Data) {
    guard isJSON, terminal.isInteractive else { return terminal.write(Array(data)) }
    let bytes = cut + data
    let end = bytes.count - Self.cutBytes(at: bytes)
    cut = Array(bytes[end...])
    terminal.write(Escaped.json(bytes[..<end]))
  }

  /// How many bytes at the end begin a character that goes on.
  private static func cutBytes(at bytes: [UInt8]) -> Int {
    guard let lead = bytes.suffix(4).lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return 0 }
    let length =
      switch bytes[lead] {
      case 0xC0..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0...: 4
      default: 1
      }
    let count = bytes.count - lead
    return count < length ? count : 0
  }

  private func begin(_ name: String) throws {
    let isFirst = current == nil
    current = name
    if isFirst { suite = name.hasSuffix(".swift") ? String(name.dropLast(6)) : nil }
    guard let out else {
      if isFirst { return }
      throw CommandError(
        "The test needs a fixture, which is a second file. To fix, name a folder for both: --out FOLDER."
      )
    }
    let path = isTest ? try Self.place(of: name, isFirst: isFirst, out) : out
    if isTest {
      targets.append(try ExportTarget(path: path, replaces: replaces, isTest: isFirst))
    }
    written.append((path, 0))
  }

  /// Where a file goes, as it was typed: into a folder; the source under the name that was given, the fixture beside
  /// it.
  private static func place(of name: String, isFirst: Bool, _ out: String) throws -> String {
    guard !name.isEmpty, name != ".", name != "..", !name.contains("/") else {
      throw BackendError.unexpected("an invalid file name")
    }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: out, isDirectory: &isFolder)
    if out.hasSuffix("/") || exists && isFolder.boolValue
      || !exists && isFirst && !hasExtension(out)
    {
      do {
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
      } catch let error as CocoaError {
        throw CommandError(FileProblem.sentence(error))
      }
      return (out.hasSuffix("/") ? out : out + "/") + name
    }
    if isFirst {
      guard name.hasSuffix(".swift") == out.hasSuffix(".swift") else {
        throw CommandError(misnamed(name, out))
      }
      return out
    }
    return out[..<(out.lastIndex(of: "/").map { out.index(after: $0) } ?? out.startIndex)] + name
  }

  /// Whether the last part of a path is named like a file.
  private static func hasExtension(_ path: String) -> Bool {
    !(path as NSString).pathExtension.isEmpty
  }

  /// Why the first file of a test cannot have the name that was given.
  private static func misnamed(_ name: String, _ out: String) -> String {
    let isSwift = name.hasSuffix(".swift")
    return """
      \(isSwift ? "A test in Swift" : "A fixture") needs a name that ends in \
      \(isSwift ? ".swift" : ".json"), and \(Escaped.quoted(out)) does not. To fix, name a folder: \
      --out FOLDER/. For the recorded entries alone, use --as timeline or --as json-lines.
      """
  }

  /// The suite that was written among a package's tests, with that package.
  var testSuite: (name: String, package: TestPackage)? {
    guard let suite, let file = written.first?.file, let package = TestPackage(of: file) else {
      return nil
    }
    return (suite, package)
  }

  /// The files, and how many bytes each has.
  func finish() throws -> [(file: String, bytes: Int64)] {
    if let problem { throw problem }
    try ExportTarget.finish(targets)
    let files = isJSON && terminal.isInteractive ? Escaped.json(held) : held
    terminal.write(files + Escaped.json(cut))
    return written
  }
}

extension ExportFormat {
  /// Whether the files are a test.
  var isTest: Bool { ![.timeline, .jsonLines, .csv, .redux, .html].contains(self) }
}

/// The words of the command line for what a test asserts.
enum ExportWords {
  /// Each word, and what it means.
  static let assertions: [(word: String, means: ExportAssertion)] = [
    ("outputs", .changedOutputs), ("paths", .paths), ("state", .state), ("final", .final),
  ]
}

/// A file that appears under its name when it and those with it are complete, and not before.
final class ExportTarget {
  private let path: String
  private let partial: String
  private let handle: FileHandle
  private var isFinished = false

  /// Begins a file next to `path`; replaces an existing one only if `replaces` is set.
  init(path: String, replaces: Bool, isTest: Bool = false) throws {
    // A link that leads nowhere is there, too.
    var status = stat()
    let isThere = lstat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT == S_IFDIR { throw FileProblem.writing(path, EISDIR) }
    if isThere, !replaces {
      throw CommandError(
        isTest
          ? "\(Escaped.quoted(path)) already exists. To keep it, add --name NAME; to replace it, --force."
          : "\(Escaped.quoted(path)) already exists. To replace it, add --force.")
    }
    self.path = path
    partial = path + ".part-\(ProcessInfo.processInfo.processIdentifier)"
    // A recording holds a user's data: only the user may read it, and links are not followed.
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.refusal(path, errno) }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit {
    if !isFinished { unlink(partial) }
  }

  func write(_ bytes: [UInt8]) throws { try handle.write(contentsOf: Data(bytes)) }

  /// Gives files their names: all of them, or none and what was there stays.
  static func finish(_ targets: [ExportTarget]) throws {
    var begun: [ExportTarget] = []
    do {
      for target in targets { try target.handle.close() }
      for target in targets {
        begun.append(target)
        if targets.count > 1 { try target.keepOld() }
        guard rename(target.partial, target.path) == 0 else { throw target.refusal(errno) }
        target.isFinished = true
      }
    } catch {
      for target in begun { target.undo() }
      throw error
    }
    for target in begun { unlink(target.old) }
  }

  /// What is there until the others have their names, too.
  private var old: String { partial + "-old" }

  private func keepOld() throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
    if isFolder.boolValue { throw refusal(EISDIR) }
    // Some file systems know no second name of a file.
    guard link(path, old) == 0 || rename(path, old) == 0 else { throw refusal(errno) }
  }

  private func undo() {
    if rename(old, path) == 0 {
      // Two names of one file both stay.
      unlink(old)
    } else if isFinished {
      unlink(path)
    }
  }

  private func refusal(_ number: Int32) -> CommandError { Self.refusal(path, number) }

  private static func refusal(_ path: String, _ number: Int32) -> CommandError {
    FileProblem.writing(path, number)
  }
}
