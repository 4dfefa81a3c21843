/// The limit of the texts that inspectors attach: names of timelines and branches, and marks.
package enum TextLimit {
  private static let bytes = 1_000

  /// Refuses a text that is too long.
  package static func check(_ text: String, path: String) throws(Refusal) {
    guard text.utf8.count <= bytes else {
      throw Refusal(.limit, "A name or mark can have at most \(bytes) bytes.", path: path)
    }
  }
}
