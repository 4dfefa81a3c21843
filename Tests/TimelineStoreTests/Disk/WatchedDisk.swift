@testable import TimelineStore

/// The operating system's disk, with a closure that sees each sync first and may make it fail, and
/// one that may say how much room is left.
struct WatchedDisk: StoreDisk {
  private let disk = SystemDisk()
  var onSync: @Sendable (String) throws(DiskError) -> Void = { _ throws(DiskError) in }
  var free: (@Sendable () -> Int64?)?

  var vfs: String? { disk.vfs }

  func sync(_ path: String) throws(DiskError) {
    try onSync(path)
    try disk.sync(path)
  }

  func resolve(_ folder: String) throws(DiskError) -> String { try disk.resolve(folder) }
  func status(of path: String) throws(DiskError) -> FileStatus? { try disk.status(of: path) }
  func names(in folder: String) throws(DiskError) -> [String] { try disk.names(in: folder) }
  func makeFolder(_ path: String) throws(DiskError) -> Bool { try disk.makeFolder(path) }
  func makeFile(_ path: String) throws(DiskError) { try disk.makeFile(path) }
  func move(_ path: String, to other: String) throws(DiskError) {
    try disk.move(path, to: other)
  }
  func remove(_ path: String) throws(DiskError) { try disk.remove(path) }
  func freeBytes(of folder: String) -> Int64? {
    if let free { free() } else { disk.freeBytes(of: folder) }
  }

  func read(_ path: String, upTo count: Int) throws(DiskError) -> [UInt8] {
    try disk.read(path, upTo: count)
  }

  func write(_ bytes: [UInt8], to path: String) throws(DiskError) {
    try disk.write(bytes, to: path)
  }

  func lock(_ path: String, storing text: String) throws(DiskError) -> DiskLocking {
    try disk.lock(path, storing: text)
  }
}
