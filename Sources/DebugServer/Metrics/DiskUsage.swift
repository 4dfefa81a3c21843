internal import Foundation

/// The space that the recordings take, and what is left.
struct DiskUsage {
  /// The bytes of the database's files.
  let used: Int64
  /// The bytes that the daemon can still write to this disk; `nil` if the system does not say.
  let free: Int64?

  /// The disk of a data folder, as it is now.
  init(data: String) {
    let manager = FileManager.default
    used = ["", "-wal", "-shm"].reduce(0) { sum, ending in
      let attributes = try? manager.attributesOfItem(atPath: data + "/timelines.sqlite" + ending)
      return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
    }
    let system = try? manager.attributesOfFileSystem(forPath: data)
    free = (system?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}

extension MetricsText {
  mutating func add(_ disk: DiskUsage) {
    add("debugd_database_bytes", .gauge, "Bytes of the database's files.", disk.used)
    if let free = disk.free {
      add("debugd_disk_free_bytes", .gauge, "Free bytes of the disk with the database.", free)
    }
  }
}
