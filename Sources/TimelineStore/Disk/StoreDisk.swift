import Foundation
import Timelines

/// The file system of a store, for everything but SQLite's files, and the name of the SQLite VFS
/// that belongs to it.
///
/// Each method reports failures: a file that cannot be examined is not the same as a missing one.
/// Neither content nor names are durable before ``sync(_:)``.
package protocol StoreDisk: Sendable {
  /// The registered SQLite VFS that opens databases on this disk; `nil` for SQLite's default.
  var vfs: String? { get }

  /// The folder's path without symbolic links.
  func resolve(_ folder: String) throws(DiskError) -> String

  /// What a path refers to; `nil` if nothing.
  func status(of path: String) throws(DiskError) -> FileStatus?

  /// The names in a folder, in no order.
  func names(in folder: String) throws(DiskError) -> [String]

  /// Creates a folder that only this user can access; returns false if it already exists.
  func makeFolder(_ path: String) throws(DiskError) -> Bool

  /// Creates an empty file that only this user can access, unless it exists.
  ///
  /// An existing file must not be opened: closing it would drop SQLite's locks on it.
  func makeFile(_ path: String) throws(DiskError)

  /// The first bytes of a file; fewer if it is shorter.
  func read(_ path: String, upTo count: Int) throws(DiskError) -> [UInt8]

  /// Replaces the content of a file; creates it for this user alone if it is missing.
  func write(_ bytes: [UInt8], to path: String) throws(DiskError)

  /// Renames a file, replacing any file with the other name.
  func move(_ path: String, to other: String) throws(DiskError)

  /// Removes a file, or a folder with its content. Does nothing if it does not exist.
  func remove(_ path: String) throws(DiskError)

  /// Waits until a file's content, or the names in a folder, are on the disk.
  func sync(_ path: String) throws(DiskError)

  /// Locks a file and stores a text in it; creates the file if it is missing.
  func lock(_ path: String, storing text: String) throws(DiskError) -> DiskLocking

  /// The free bytes; `nil` if unknown.
  func freeBytes(of folder: String) -> Int64?
}

package enum DiskLocking {
  case taken(any DiskLock)
  /// Another process holds the lock, and stored this text.
  case held(String)
}

/// A lock that ends at the latest with the process.
package protocol DiskLock: AnyObject, Sendable {
  func release()
}

package struct FileStatus: Hashable, Sendable {
  package var size: Int64
  /// The permissions and the bits above them, as in `st_mode`.
  package var mode: UInt32
  package var owner: UInt32

  package init(size: Int64, mode: UInt32, owner: UInt32) {
    (self.size, self.mode, self.owner) = (size, mode, owner)
  }
}

package struct DiskError: Error, Hashable, Sendable {
  /// The system's error number.
  package var code: Int32
  package var path: String

  package init(code: Int32, path: String) {
    (self.code, self.path) = (code, path)
  }

  package var words: String { SystemError(code).words }

  /// The message with advice, to be followed by a period.
  package var clause: String { SystemError(code).clause(.writing) }
}

extension StoreDisk {
  func exists(_ path: String) throws(DiskError) -> Bool { try status(of: path) != nil }
}

extension StoreError {
  /// Runs a closure, and converts disk errors to store errors.
  static func mapping<Value>(
    _ body: () throws(DiskError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw StoreError(.folder(error.path, why: error.clause))
    }
  }
}
