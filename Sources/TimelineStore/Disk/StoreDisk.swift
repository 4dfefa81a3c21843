import Foundation

/// The file system below a store, for everything that is not SQLite's, and the name of the SQLite VFS
/// that goes with it.
///
/// Each method reports a failure as such: a file that cannot be looked at is not a file that is not
/// there. Nothing is durable before ``sync(_:)``, neither content nor names.
package protocol StoreDisk: Sendable {
  /// The registered SQLite VFS that opens databases on this disk; `nil` for SQLite's default.
  var vfs: String? { get }

  /// The folder's path without symbolic links.
  func resolve(_ folder: String) throws(DiskError) -> String

  /// What there is at a path; `nil` when nothing is.
  func status(of path: String) throws(DiskError) -> FileStatus?

  /// The names in a folder, in no order.
  func names(in folder: String) throws(DiskError) -> [String]

  /// Makes a folder for this user alone; `false` when there was one already.
  func makeFolder(_ path: String) throws(DiskError) -> Bool

  /// Makes an empty file for this user alone, unless there is one.
  ///
  /// A file that is there must not be opened: closing it would drop SQLite's locks on it.
  func makeFile(_ path: String) throws(DiskError)

  /// The first bytes of a file; fewer when it is shorter.
  func read(_ path: String, upTo count: Int) throws(DiskError) -> [UInt8]

  /// Replaces the content of a file, which is made for this user alone when it is missing.
  func write(_ bytes: [UInt8], to path: String) throws(DiskError)

  /// Renames a file, replacing what has the other name.
  func move(_ path: String, to other: String) throws(DiskError)

  /// Removes a file, or a folder with everything in it. Does nothing when it is not there.
  func remove(_ path: String) throws(DiskError)

  /// Waits until a file's content, or the names in a folder, are on the disk.
  func sync(_ path: String) throws(DiskError)

  /// Takes a file's lock, and stores a text in the file; the file is made when it is missing.
  func lock(_ path: String, storing text: String) throws(DiskError) -> DiskLocking

  /// The bytes that are free; `nil` when that is unknown.
  func freeBytes(of folder: String) -> Int64?
}

/// The outcome of taking a lock.
package enum DiskLocking {
  case taken(any DiskLock)
  /// Another process has it, and stored this text.
  case held(String)
}

/// A lock that ends with the process at the latest.
package protocol DiskLock: AnyObject, Sendable {
  /// Lets others take the lock.
  func release()
}

/// What a path leads to.
package struct FileStatus: Hashable, Sendable {
  package var size: Int64
  /// Permissions, and the bits above them, as `st_mode` has them.
  package var mode: UInt32
  package var owner: UInt32

  package init(size: Int64, mode: UInt32, owner: UInt32) {
    (self.size, self.mode, self.owner) = (size, mode, owner)
  }
}

/// Why an operation of a file system failed.
package struct DiskError: Error, Hashable, Sendable {
  /// The number of the system's error.
  package var code: Int32
  package var path: String

  package init(code: Int32, path: String) {
    (self.code, self.path) = (code, path)
  }

  /// The system's words for it.
  package var words: String { String(cString: strerror(code)) }
}

extension StoreDisk {
  /// Whether there is something at a path.
  func exists(_ path: String) throws(DiskError) -> Bool { try status(of: path) != nil }
}

extension StoreError {
  /// Runs a closure; what the disk refuses becomes the store's error.
  static func mapping<Value>(
    _ body: () throws(DiskError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw StoreError(.folder(error.path, why: error.words))
    }
  }
}
