/// Writes sessions down, off the loop, the newest table last.
actor SessionKeeper {
  private let file: SessionFile
  private let log: any Log
  private var last = 0

  /// A keeper of a file.
  init(_ file: SessionFile, log: any Log) {
    self.file = file
    self.log = log
  }

  /// Writes a table in place of the one before, unless a later one was written already.
  func save(_ table: SessionTable, number: Int) {
    guard number > last else { return }
    last = number
    do {
      try file.save(table)
    } catch {
      log.write(
        LogEvent(.error, "sessions.unsaved", "Sessions do not outlive the daemon: \(error)"))
    }
  }
}
