/// How it is known that one entry led to another.
package enum ExplainLabel: String, MessageWord {
  /// The recording says so.
  case recorded
  /// It follows from other things that were recorded.
  case inferred
}

/// Why an entry led to another one.
package enum ExplainReason: String, MessageWord {
  /// It sent the event, or its effect did.
  case cause
  /// It set a value that was read.
  case value
  /// It set the value that was replaced.
  case earlier
}
