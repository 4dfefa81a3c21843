/// Why a branch, or a host's answer, ends before the events do.
package enum BranchEnd: String, MessageWord {
  /// The parent lost entries here.
  case gap
  /// The reducer trapped.
  case trap
  /// Time or memory ran out.
  case limit
  /// The event is none of today's type.
  case undecodable
  /// A person ended the computation.
  case cancelled
  /// The host answered nothing of use, again and again.
  case failed
}
