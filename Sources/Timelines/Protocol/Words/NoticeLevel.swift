/// How much a notice matters.
package enum NoticeLevel: String, MessageWord {
  /// Good to know.
  case info
  /// Something will go wrong when nothing is done.
  case warning
  /// Something has gone wrong.
  case error
}
