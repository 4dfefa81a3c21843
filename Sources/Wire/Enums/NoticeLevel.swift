/// The importance of a notice.
package enum NoticeLevel: String, MessageWord {
  /// Nothing needs to be done.
  case info
  /// A problem that will become an error without action.
  case warning
  /// Something does not work.
  case error
}
