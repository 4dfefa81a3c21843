/// Why an answer ends before the events do.
package struct EarlyEnd: MessagePart {
  /// The reason.
  package var why = BranchEnd.gap
  /// The first entry that is not in the answer.
  package var seq: Int64 = 0
  /// A description for people.
  package var message: String?
  /// Whether the entry is only the first of those at which it may have happened, because a process
  /// ended without a message.
  package var guess = false

  package init() {}

  package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
    try fields.field("why", &why)
    try fields.field("seq", &seq)
    try fields.field("message", &message)
    try fields.flag("guess", &guess)
  }
}
