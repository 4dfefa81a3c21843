import Timelines

extension RecorderOptions {
  /// These options, with a log that escapes each sentence to one line of printable text.
  ///
  /// Sentences quote names and errors of the app, its environment, and messages of the daemon, and
  /// the log is usually a terminal.
  var withPlainLog: RecorderOptions {
    var options = self
    options.log = { [log] in log(PlainText.escaping($0)) }
    return options
  }
}
