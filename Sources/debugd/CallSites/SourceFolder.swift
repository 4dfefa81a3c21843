import Foundation
import Timelines

/// The source files below a folder, by the names that recordings give them.
///
/// A recording names a file as `#fileID` does: `Module/File.swift`. Within a program these names are
/// unique, so the module decides between files of one name. Recorded text only selects from the files
/// that are there; it is never part of a path. Links are not followed, and hidden folders are left
/// out.
struct SourceFolder: Sendable {
  /// The folder, without links in its path.
  let root: String
  /// Paths below the root, by the files' names.
  private var files: [String: [String]] = [:]

  /// What a name of a recording means.
  enum Resolution: Equatable, Sendable {
    case file(path: String)
    /// Several files have the name.
    case ambiguous(Int)
    case missing
  }

  /// More files than this are not indexed.
  static let maximumFiles = 200_000

  /// Indexes a folder.
  ///
  /// - Throws: ``CommandError`` if it cannot be read, or has too many files.
  init(_ path: String, maximumFiles: Int = Self.maximumFiles) throws {
    guard let real = realpath(path, nil) else { throw FileProblem.reading(path, errno) }
    defer { free(real) }
    root = String(cString: real)
    guard (try? FileManager.default.contentsOfDirectory(atPath: root)) != nil,
      let found = FileManager.default.enumerator(
        at: URL(filePath: root), includingPropertiesForKeys: [.isRegularFileKey],
        options: [.skipsHiddenFiles])
    else { throw FileProblem.reading(path, ENOTDIR) }
    var count = 0
    for case let file as URL in found {
      // A link is not a regular file, and the enumerator does not enter it.
      guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else {
        continue
      }
      count += 1
      guard count <= maximumFiles else {
        throw CommandError(
          """
          \(Escaped.quoted(path)) has more than \(maximumFiles) files. To fix, name the folder of \
          your sources.
          """)
      }
      files[file.lastPathComponent, default: []].append(file.path)
    }
  }

  /// The file that a name means, such as `Shop/Cart.swift`.
  func file(named fileID: String) -> Resolution {
    let parts = fileID.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, let paths = files[String(name)] else { return .missing }
    if paths.count == 1, let only = paths.first { return .file(path: only) }
    guard parts.count > 1, let module = parts.first else { return .ambiguous(paths.count) }
    let ofModule = paths.filter { path in
      path.dropFirst(root.count).split(separator: "/").dropLast().contains(module)
    }
    guard ofModule.count == 1, let only = ofModule.first else {
      return .ambiguous(max(2, ofModule.count))
    }
    return .file(path: only)
  }
}

/// The file and line of a recorded call site.
struct CallSite: Equatable, Sendable {
  /// The file, as `#fileID` names it.
  let file: String
  /// The line, from 1.
  let line: Int

  /// Reads `Module/File.swift:12`; `nil` if it has no line.
  init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]),
      line > 0, colon > text.startIndex
    else { return nil }
    file = String(text[..<colon])
    self.line = line
  }
}
