/// The structure of a value: enough to decide whether a patch applies, without the contents.
///
/// Strings, numbers, booleans, and nulls are all alike here. Arrays and objects stay text until a
/// patch changes something inside them, so a keyframe costs only a reference to its bytes.
enum Shape {
  /// A string, number, boolean or null.
  case leaf
  /// An array or object that no patch has changed yet.
  case text(ShapeText)
  /// An array or object with its children.
  case container(ShapeContainer)

  /// The shape of the value in a range of checked text, which is kept as it is.
  init(_ bytes: [UInt8], at range: Range<Int>) {
    self =
      Shape.isContainer(bytes[range.lowerBound])
      ? .text(ShapeText(bytes: bytes, range: range)) : .leaf
  }

  /// Whether a value that starts with this byte is an array or object.
  @inline(__always)
  static func isContainer(_ first: UInt8) -> Bool {
    first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

/// The text of an array or object inside a longer text.
struct ShapeText {
  let bytes: [UInt8]
  private let start: UInt32
  private let end: UInt32

  /// - Precondition: the text has less than 4 GiB, as every entry does.
  init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    start = UInt32(truncatingIfNeeded: range.lowerBound)
    end = UInt32(truncatingIfNeeded: range.upperBound)
  }

  var range: Range<Int> { Int(start)..<Int(end) }

  var isArray: Bool { bytes[Int(start)] == UInt8(ascii: "[") }
}
