/// What kind of failure an exploration found.
package enum ExploreCause: String, MessageWord {
  /// The predicate of `until` is true, or that of `always` is not.
  case predicate
  /// The reducer threw an error.
  case error
  /// The reducer trapped.
  case trap
  /// The reducer did not finish within the limits of a request.
  case limit
}
