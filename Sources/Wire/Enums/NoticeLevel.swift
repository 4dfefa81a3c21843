/// The level of a notice.
package enum NoticeLevel: String, MessageWord {
  /// Information.
  case info
  /// A problem that will become an error without action.
  case warning
  /// An error.
  case error
}
