/// A text that is served as if it were a file. Its bytes and its tag are computed once, and all answers
/// with it share them.
package struct StaticText: Sendable {
  /// By its ending the browser knows what it is.
  let name: String
  let bytes: [UInt8]
  /// Tells the versions of the text apart.
  let tag: String

  /// That text.
  package init(_ text: String, named name: String) {
    self.name = name
    bytes = Array(text.utf8)
    // FNV-1a: it tells versions of one text apart, and need not withstand an attacker.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    tag = "\"" + String(hash, radix: 36) + "-" + String(bytes.count, radix: 36) + "\""
  }
}
