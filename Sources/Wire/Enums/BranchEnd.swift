/// Why a branch, or a host's answer, ends before the events do.
package enum BranchEnd: String, MessageWord {
  /// The parent lost entries here.
  case gap
  /// The reducer trapped.
  case trap
  /// The time or memory limit was reached.
  case limit
  /// The current type cannot decode the event.
  case undecodable
  /// The computation was canceled.
  case canceled = "cancelled"
  /// The host repeatedly gave no valid answer.
  case failed
}
