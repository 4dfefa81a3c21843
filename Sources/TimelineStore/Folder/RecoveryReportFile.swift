import Timelines

/// The losses of a recovery, on disk until they are reported.
///
/// A recovery writes the file next to the new database before that replaces the old one. Otherwise
/// the losses would go unreported if the swap is interrupted and finished when the store is opened.
enum RecoveryReportFile {
  static let name = "recovery-report"

  /// Writes the report into the folder of the new database.
  static func write(
    _ report: SalvageReport, in fresh: String, on disk: any StoreDisk
  ) throws(DiskError) {
    let head = "\(report.timelines) \(report.entries) \(report.damagedFile ?? "")"
    let lines = [head] + report.losses
    let text = lines.map { $0.replacing("\n", with: " ") + "\n" }.joined()
    try disk.write(Array(text.utf8), to: fresh + "/" + name)
    try disk.sync(fresh + "/" + name)
  }

  /// Moves the report next to the database, once the new one is in place.
  static func publish(from fresh: String, in folder: String, on disk: any StoreDisk)
    throws(DiskError)
  {
    guard try disk.exists(fresh + "/" + name) else { return }
    try disk.move(fresh + "/" + name, to: folder + "/" + name)
    try disk.sync(folder)
  }

  /// The report that has not been shown; `nil` if there is none.
  static func read(in folder: String, on disk: any StoreDisk) throws(DiskError) -> SalvageReport? {
    let path = folder + "/" + name
    guard let size = try disk.status(of: path)?.size else { return nil }
    let text = String(decoding: try disk.read(path, upTo: Int(clamping: size)), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    let head = (lines.first ?? "").split(separator: " ", maxSplits: 2).map(String.init)
    var report = SalvageReport()
    report.wasDamaged = true
    report.timelines = head.first.flatMap { Int($0) } ?? 0
    report.entries = head.dropFirst().first.flatMap { Int64($0) } ?? 0
    report.damagedFile = head.dropFirst(2).first
    report.losses = Array(lines.dropFirst())
    return report
  }

  /// Removes the report after it was shown.
  static func remove(from folder: String, on disk: any StoreDisk) {
    // If that fails, it is shown again.
    try? disk.remove(folder + "/" + name)
  }
}
