internal import TimelineStore

/// Saves what is readable in a damaged database.
package struct Recovery: Sendable {
  /// The timelines that were saved.
  package let timelines: Int
  /// The entries that were saved.
  package let entries: Int64
  /// Whether anything was damaged; if not, nothing was changed.
  package let wasDamaged: Bool
  /// The losses, one sentence each.
  package let losses: [String]
  /// The damaged database, which is kept.
  package let damagedFile: String?

  /// Whether a folder has data to recover. Creates nothing.
  package static func hasData(in folder: String) -> Bool { Store.hasData(in: folder) }

  /// Recovers the data in a folder that no daemon holds.
  package static func run(data: String) async throws -> Recovery {
    let report = try await Store.recover(folder: data)
    return Recovery(
      timelines: report.timelines, entries: report.entries, wasDamaged: report.wasDamaged,
      losses: report.losses, damagedFile: report.damagedFile)
  }
}
