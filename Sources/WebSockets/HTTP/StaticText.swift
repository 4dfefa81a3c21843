/// A text that is served like a file. Its bytes and entity tag are computed once, and all responses
/// share them.
package struct StaticText: Sendable {
  /// The name, whose extension selects the media type.
  let name: String
  let bytes: [UInt8]
  /// The entity tag.
  let tag: String

  package init(_ text: String, named name: String) {
    self.name = name
    bytes = Array(text.utf8)
    // FNV-1a: it distinguishes versions of one text, and does not have to resist attacks.
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    tag = "\"" + String(hash, radix: 36) + "-" + String(bytes.count, radix: 36) + "\""
  }
}
