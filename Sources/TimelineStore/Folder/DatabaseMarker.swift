import Foundation

/// The file that marks a data folder whose timelines are in a database elsewhere.
///
/// It has an id, by which the database recognizes the folder's daemon, and the address.
package struct DatabaseMarker: Hashable, Sendable {
  static let name = "database"

  package var instance: String
  package var address: String

  /// The marker of a folder; `nil` if its timelines are in the folder itself.
  package static func read(
    in folder: String, on disk: any StoreDisk = SystemDisk()
  ) throws(StoreError) -> DatabaseMarker? {
    let path = folder + "/" + name
    let text = try StoreError.mapping { () throws(DiskError) -> String? in
      guard try disk.exists(path) else { return nil }
      return String(decoding: try disk.read(path, upTo: lengthLimit), as: UTF8.self)
    }
    guard let text else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return DatabaseMarker(
      instance: lines.first ?? "", address: lines.count > 1 ? lines[1] : "")
  }

  /// Marks a folder that its caller has locked; keeps the id that it has.
  ///
  /// Throws if the folder has timelines of its own: nothing would show them.
  static func mark(
    _ folder: String, address: String, on disk: any StoreDisk
  ) throws(StoreError) -> DatabaseMarker {
    let hasTimelines = try StoreError.mapping { () throws(DiskError) in
      try disk.exists(folder + "/" + DatabaseFile.name)
    }
    guard !hasTimelines else {
      throw StoreError(
        .folder(
          folder,
          why: "it has recordings of its own. To fix, use another one for the database: "
            + "--data FOLDER"))
    }
    let known = try read(in: folder, on: disk)
    var marker = DatabaseMarker(instance: known?.instance ?? "", address: address)
    if marker == known, !marker.instance.isEmpty { return marker }
    if marker.instance.isEmpty { marker.instance = UUID().uuidString }
    let bytes = Array("\(marker.instance)\n\(address)\n".utf8)
    try StoreError.mapping { () throws(DiskError) in
      try disk.write(bytes, to: folder + "/" + name)
      try disk.sync(folder + "/" + name)
      try disk.sync(folder)
    }
    return marker
  }

  /// Undoes ``mark(_:address:on:)`` for a database that could not be used: with a wrong address, the
  /// folder would be of no use without it.
  static func restore(_ known: DatabaseMarker?, in folder: String, on disk: any StoreDisk) {
    // If that fails, the next start marks it again.
    if let known {
      _ = try? mark(folder, address: known.address, on: disk)
    } else {
      try? disk.remove(folder + "/" + name)
    }
  }

  private static let lengthLimit = 64 << 10
}
