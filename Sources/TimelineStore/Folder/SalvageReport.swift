package struct SalvageReport: Hashable, Sendable {
  package var timelines = 0
  package var entries: Int64 = 0
  /// Whether anything was damaged; if not, nothing was changed.
  package var wasDamaged = false
  /// The losses, one sentence each.
  package var losses: [String] = []
  /// The damaged database, which is kept.
  package var damagedFile: String?
}
