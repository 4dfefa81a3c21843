import Foundation

/// Where a simulated daemon keeps its data: a folder in memory, and copies of it at crashes.
struct DiskFolder {
  let path: String

  /// An empty folder.
  static func make(_ name: String) -> DiskFolder {
    let place =
      FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
    let path = "\(place)/simulate-\(ProcessInfo.processInfo.processIdentifier)-\(name)"
    try? FileManager.default.removeItem(atPath: path)
    mkdir(path, 0o700)
    return DiskFolder(path: path)
  }

  /// What a process that is killed leaves behind: everything that it gave to the system.
  func afterKill(_ name: String) -> DiskFolder {
    let copy = DiskFolder.make(name)
    for file in ["timelines.sqlite", "timelines.sqlite-wal"] {
      try? FileManager.default.copyItem(atPath: "\(path)/\(file)", toPath: "\(copy.path)/\(file)")
    }
    return copy
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
