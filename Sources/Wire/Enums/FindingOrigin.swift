/// The origin of a problem that a check found.
package enum FindingOrigin: String, MessageWord {
  /// The database: stored data cannot be read.
  case storage
  /// The recorder, or the host of a branch: it sent contradictory data, which is stored unchanged.
  case recorder
}
