/// Whether two values have the same bytes in memory, and so are the same value: what they refer to is
/// the same storage.
///
/// Equal values may have different bytes; then the answer is no.
func sameBytes<Value>(_ one: Value, _ other: Value) -> Bool {
  // Safe: the pointers are lent for the calls, and only read; bytes between fields may be anything,
  // which at worst gives a no.
  withUnsafeBytes(of: one) { one in
    withUnsafeBytes(of: other) { other in one.elementsEqual(other) }
  }
}
