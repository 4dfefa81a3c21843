internal import TimelineStore

/// What commands report when there is no daemon or no data.
extension ServerConfiguration {
  /// No daemon is running where a command looks for it.
  package var noDaemon: String {
    guard let socket else { return "No daemon is running. To fix, start one: \(start)" }
    return "No daemon answers at \(socket). To fix, start one: \(start)"
  }

  /// Neither recorded data nor a daemon is where a command looks for it. A folder that the user named
  /// is most likely misspelled.
  package var noData: String {
    isDataNamed
      ? """
      There is no recorded data in \(data), and no daemon is running there. To fix, pass the folder \
      that your daemon uses: --data FOLDER
      """
      : """
      There is no recorded data in \(data), and no daemon is running there. To fix, start one: \
      \(start)
      """
  }

  /// Another process has the data, and no daemon answers.
  func heldData(_ folder: String, _ holder: LockHolder?) -> String {
    let pid = holder.map { "\($0.pid)" } ?? "(unknown)"
    return """
      The data in \(folder) is held by process \(pid), but no daemon answers at \(socket ?? "a socket"). \
      To fix, wait until that process ends; or, if it is a daemon with a socket of its own, pass that: \
      --socket PATH
      """
  }
}
