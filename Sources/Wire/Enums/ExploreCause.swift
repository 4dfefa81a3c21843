/// What an exploration found.
package enum ExploreCause: String, MessageWord {
  /// The predicate holds, or no longer does.
  case predicate
  /// The reducer threw an error.
  case error
  /// The reducer trapped.
  case trap
  /// The reducer did not finish within the limits of a request.
  case limit
}
