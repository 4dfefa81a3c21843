/// Why a branch, or a host's answer, ends before the events do.
package enum BranchEnd: String, MessageWord {
  /// The parent lost entries here.
  case gap
  /// The reducer trapped.
  case trap
  /// Time or memory ran out.
  case limit
  /// Today's type cannot decode the event.
  case undecodable
  /// A person ended the computation.
  case canceled = "cancelled"
  /// The host repeatedly gave no usable answer.
  case failed
}
