import Timelines

extension RecorderOptions {
  /// The same options with a log that gets each sentence as one line of harmless text.
  ///
  /// Sentences quote names and errors of the app, its environment, and the daemon's words; the log is
  /// mostly a terminal.
  var withPlainLog: RecorderOptions {
    var options = self
    options.log = { [log] in log(PlainText.escaping($0)) }
    return options
  }
}
