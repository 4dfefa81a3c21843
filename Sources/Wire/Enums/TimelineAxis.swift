/// What positions on the axis of an overview count.
package enum TimelineAxis: String, MessageWord {
  /// Entries.
  case seq
  /// Microseconds.
  case t
}
