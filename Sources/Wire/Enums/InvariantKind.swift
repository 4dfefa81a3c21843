/// What kind of condition an invariant is.
package enum InvariantKind: String, MessageWord {
  /// A number is the sum of a list or of two other numbers.
  case sum
  /// Two values are always equal.
  case equality
  /// One value is never larger than another one.
  case order
  /// A list always contains a value, or another list.
  case inclusion
  /// After an event, a value is always the same.
  case implied
  /// A number never becomes smaller.
  case monotonic
  /// A number is never negative, or never positive.
  case sign
  /// A text is one of a few.
  case subset
  /// A number has a smallest and a largest value.
  case range
  /// A value is always the same.
  case constant
  /// A value is always there.
  case present
}
