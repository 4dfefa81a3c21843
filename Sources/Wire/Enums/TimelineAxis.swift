/// What the axis of an overview counts.
package enum TimelineAxis: String, MessageWord {
  /// Entries.
  case seq
  /// Microseconds.
  case t
}
