import Timelines

/// Writes the keys of a message.
extension JSONText: MessageFields {
  /// Writes a required key.
  package mutating func field<Value: MessageValue>(_ key: String, _ value: inout Value) {
    self.key(key)
    value.write(to: &self)
  }

  /// Writes an optional key.
  package mutating func field<Value: MessageValue>(_ key: String, _ value: inout Value?) {
    guard let value else { return }
    self.key(key)
    value.write(to: &self)
  }

  /// Writes a key that is `true` or absent.
  package mutating func flag(_ key: String, _ value: inout Bool) {
    if value { field(key, &value) }
  }
}
