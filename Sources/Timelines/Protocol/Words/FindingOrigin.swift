/// What is at fault for something that a check found.
package enum FindingOrigin: String, MessageWord {
  /// The database: what was stored cannot be read back.
  case storage
  /// The recorder: what it sent is stored as it came, and contradicts itself.
  case recorder
}
