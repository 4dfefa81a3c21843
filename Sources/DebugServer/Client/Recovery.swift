internal import TimelineStore

/// Saves what can be read of a damaged database.
package struct Recovery: Sendable {
  /// The timelines that were saved.
  package let timelines: Int
  /// The entries that were saved.
  package let entries: Int64
  /// Whether anything was wrong; else nothing was touched.
  package let wasDamaged: Bool
  /// What is lost, a sentence each.
  package let losses: [String]
  /// The damaged database, which is kept.
  package let damagedFile: String?

  /// Recovers the data in a folder, which no daemon may hold.
  package static func run(data: String) async throws -> Recovery {
    let report = try await Store.recover(folder: data)
    return Recovery(
      timelines: report.timelines, entries: report.entries, wasDamaged: report.wasDamaged,
      losses: report.losses, damagedFile: report.damagedFile)
  }
}
