import Foundation
import Timelines

/// What is wrong with a file or folder that the user named.
enum FileProblem {
  /// Why a file cannot be read, by the system's error number.
  static func reading(_ path: String, _ number: Int32) -> CommandError {
    switch number {
    case ENOENT: CommandError("There is no file \(Escaped.quoted(path)).")
    case EISDIR:
      CommandError("\(Escaped.quoted(path)) is a folder. To fix, name the files in it.")
    default:
      CommandError(
        "\(Escaped.quoted(path)) cannot be read: \(SystemError(number).sentences(.reading))")
    }
  }

  /// Why a file cannot be written, by the system's error number.
  static func writing(_ path: String, _ number: Int32) -> CommandError {
    let fact = "\(Escaped.quoted(path)) cannot be written"
    switch number {
    case ENOENT:
      let folder = FilePath.folder(of: path)
      return CommandError(
        """
        \(fact), because there is no folder \(Escaped.quoted(folder)). To fix, run: \
        mkdir -p \(ShellWord.text(folder) ?? "FOLDER")
        """)
    case EISDIR: return CommandError("\(fact): it is a folder. To fix, name a file in it.")
    case ENOTDIR: return CommandError("\(fact): part of the path is a file. To fix, name a folder.")
    default: return CommandError("\(fact): \(SystemError(number).sentences(.writing))")
    }
  }

  /// Opens a regular file for reading.
  static func open(_ path: String) throws -> FileHandle {
    // A pipe without a writer must not keep the command waiting until it is refused.
    let descriptor = Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw reading(path, errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw reading(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw reading(path, EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw CommandError(
        "\(Escaped.quoted(path)) is not a regular file. To fix, write it into one, and name that.")
    }
    guard !isPage(descriptor) else {
      throw CommandError(
        "\(Escaped.quoted(path)) is an HTML file. If debugd exported it, open it in a browser.")
    }
    return handle
  }

  /// Whether a file begins as an export in HTML does.
  private static func isPage(_ descriptor: Int32) -> Bool {
    let beginning = Array("<!doctype html".utf8)
    var bytes = [UInt8](repeating: 0, count: beginning.count)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count == bytes.count
      && String(decoding: bytes, as: UTF8.self).lowercased().utf8.elementsEqual(beginning)
  }

  /// Refuses a file that could not be written later: its folder is missing, or it is a folder itself.
  static func checkWritable(_ path: String) throws {
    let descriptor = Foundation.open(path, O_WRONLY | O_CLOEXEC)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != ENOENT {
      throw writing(path, errno)
    } else {
      let folder = FilePath.folder(of: path)
      guard access(folder.isEmpty ? "." : folder, W_OK) == 0 else { throw writing(path, errno) }
    }
  }

  /// Replaces a file's content.
  static func write(_ text: String, to path: String) throws {
    let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw writing(path, errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      throw writing(path, errno)
    }
  }

  /// An error of Foundation, with the file that it is about.
  static func sentence(_ error: CocoaError) -> String {
    let path = error.filePath ?? error.url?.path
    let place = path.map { Escaped.quoted($0) + ": " } ?? ""
    if let cause = error.underlying as? POSIXError {
      // Cocoa's codes for writing are from 512 to 1,023.
      let use: SystemError.Use = 512...1_023 ~= error.code.rawValue ? .writing : .reading
      return place + SystemError(cause.code.rawValue).sentences(use)
    }
    return place + error.localizedDescription
  }
}
