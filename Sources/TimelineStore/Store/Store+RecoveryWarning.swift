extension Store {
  /// Reports the losses of a recovery whose last steps were interrupted.
  func warnOfRecovery(_ body: (String) -> Void) {
    guard lock != nil,
      let report = try? RecoveryReportFile.read(in: folder, on: options.disk)
    else { return }
    for loss in report.losses { body("A recovery lost data. \(loss)") }
    RecoveryReportFile.remove(from: folder, on: options.disk)
  }
}
