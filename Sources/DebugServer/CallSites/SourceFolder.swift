internal import Foundation
internal import Timelines
internal import WebSockets

/// The source files below a folder, by the names that recordings give them.
///
/// A recording names a file as `#fileID` does: `Module/File.swift`. Within a program these names are
/// unique, so the module decides between files of one name. Recorded text only selects from the files
/// that are there; it is never part of a path. Links are not followed, and hidden folders are left
/// out. Only Swift files are indexed: others cannot have a call site, and may contain secrets.
package struct SourceFolder: Sendable {
  /// The folder, without links in its path.
  package let root: String
  /// Paths relative to the root, by the files' names.
  private let files: [String: [String]]
  private let reader: StaticFiles

  /// What a name of a recording means.
  package enum Resolution: Equatable, Sendable {
    case file(path: String)
    /// Several files have the name.
    case ambiguous(Int)
    case missing
  }

  /// More files than this are not indexed.
  package static let maximumFiles = 200_000

  /// Larger files are not read.
  static let maximumBytes = 8 << 20

  /// Indexes a folder.
  ///
  /// - Throws: ``SourceFolderError`` if it cannot be read, or has too many files.
  package init(_ path: String, maximumFiles: Int = Self.maximumFiles) throws(SourceFolderError) {
    guard let real = realpath(path, nil) else { throw .unreadable(path, errno) }
    defer { free(real) }
    root = String(cString: real)
    do {
      reader = try StaticFiles(root: root)
    } catch {
      throw .unreadable(path, ENOTDIR)
    }
    files = try Self.files(below: root, named: path, maximumFiles)
  }

  private static func files(
    below root: String, named path: String, _ maximum: Int
  ) throws(SourceFolderError) -> [String: [String]] {
    guard (try? FileManager.default.contentsOfDirectory(atPath: root)) != nil,
      let found = FileManager.default.enumerator(
        at: URL(filePath: root), includingPropertiesForKeys: [.isRegularFileKey],
        options: [.skipsHiddenFiles])
    else { throw .unreadable(path, EACCES) }
    let prefix = root.hasSuffix("/") ? root : root + "/"
    var files: [String: [String]] = [:]
    var count = 0
    for case let file as URL in found {
      // A link is not a regular file, and the enumerator does not enter it.
      guard (try? file.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true else {
        continue
      }
      count += 1
      guard count <= maximum else { throw .tooMany(path, maximum) }
      guard file.pathExtension == "swift", file.path.hasPrefix(prefix) else { continue }
      files[file.lastPathComponent, default: []].append(String(file.path.dropFirst(prefix.count)))
    }
    return files
  }

  /// The file that a name means, such as `Shop/Cart.swift`.
  package func file(named fileID: String) -> Resolution {
    let found = paths(named: fileID)
    switch found.count {
    case 0: return .missing
    case 1: return .file(path: path(of: found[0]))
    default: return .ambiguous(found.count)
    }
  }

  /// The paths relative to the root that a name may mean.
  func paths(named fileID: String) -> [String] {
    let parts = fileID.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last, let paths = files[String(name)] else { return [] }
    guard paths.count > 1, parts.count > 1, let module = parts.first else { return paths }
    let ofModule = paths.filter { $0.split(separator: "/").dropLast().contains(module) }
    return ofModule.isEmpty ? paths : ofModule
  }

  /// The whole path of a file.
  func path(of relative: String) -> String {
    root.hasSuffix("/") ? root + relative : root + "/" + relative
  }

  /// The text of a file; `nil` if it is no longer there, is too large, or is not text.
  func text(of relative: String) -> String? {
    reader.text(at: relative, limit: Self.maximumBytes)?.text
  }
}

/// Why a folder of sources cannot be used.
package enum SourceFolderError: Error, Equatable, CustomStringConvertible {
  /// It cannot be read, by the system's error number.
  case unreadable(String, Int32)
  /// It has more files than are indexed.
  case tooMany(String, Int)

  package var description: String {
    switch self {
    case .unreadable(let path, let number):
      """
      The folder of sources '\(PlainText.escaping(path))' cannot be read: \
      \(SystemError(number).sentences(.reading))
      """
    case .tooMany(let path, let maximum):
      """
      '\(PlainText.escaping(path))' has more than \(maximum) files. To fix, name the folder of your \
      sources.
      """
    }
  }
}
