/// Writes the keys of a message.
extension JSONText: MessageFields {
  /// Writes a key that must be there.
  package mutating func field<Value: MessageValue>(_ key: String, _ value: inout Value) {
    self.key(key)
    value.write(to: &self)
  }

  /// Writes a key that may be absent.
  package mutating func field<Value: MessageValue>(_ key: String, _ value: inout Value?) {
    guard let value else { return }
    self.key(key)
    value.write(to: &self)
  }

  /// Writes a key that is only there to be `true`.
  package mutating func flag(_ key: String, _ value: inout Bool) {
    if value { field(key, &value) }
  }
}
