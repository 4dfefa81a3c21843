/// Saves sessions outside the loop's thread; the newest table wins.
actor SessionSaver {
  private let file: SessionFile
  private let log: any Log
  private var last = 0

  init(_ file: SessionFile, log: any Log) {
    self.file = file
    self.log = log
  }

  /// Saves a table, unless a newer one was saved already.
  func save(_ table: SessionTable, number: Int) {
    guard number > last else { return }
    last = number
    do {
      try file.save(table)
    } catch {
      log.write(
        LogEvent(
          .error, "sessions.unsaved",
          "Sessions could not be saved, so pages must sign in again after a restart: \(error)"))
    }
  }
}
