/// An array that is read without a container.
protocol DecodingArray {
  /// The elements of the array at the node, as `T`, which must be this type.
  static func read<Same>(
    as type: Same.Type, _ document: DecodingDocument, _ array: Int,
    _ decoder: @autoclosure () -> ValueDecoder
  ) throws -> Same
}

extension Array: DecodingArray where Element: Decodable {
  static func read<Same>(
    as type: Same.Type, _ document: DecodingDocument, _ array: Int,
    _ decoder: @autoclosure () -> ValueDecoder
  ) throws -> Same {
    if Element.self == Int.self {
      return DecodingDocument.same(try scalars(Int.self, document, array, decoder))
    }
    if Element.self == String.self {
      return DecodingDocument.same(try scalars(String.self, document, array, decoder))
    }
    if Element.self == Double.self {
      return DecodingDocument.same(try scalars(Double.self, document, array, decoder))
    }
    let parent = decoder()
    let count = document.count(array)
    let values = try [Element](unsafeUninitializedCapacity: count) { buffer, filled in
      // Safe: the array has that many elements, each is stored once, and `filled` counts those
      // that were when one throws. Appending would ask for the array's metadata each time.
      var node = array + 1
      while filled < count {
        let value = try document.value(Element.self, at: node) {
          ValueDecoder(parent, .index(filled), node)
        }
        buffer.initializeElement(at: filled, to: value)
        filled += 1
        node = document.next(node)
      }
    }
    return DecodingDocument.same(values)
  }

  @inline(__always)
  private static func scalars<S: DecodingScalar>(
    _ type: S.Type, _ document: DecodingDocument, _ array: Int, _ decoder: () -> ValueDecoder
  ) throws -> [S] {
    var values: [S] = []
    values.reserveCapacity(document.count(array))
    let end = document.next(array)
    var node = array + 1
    while node < end {
      values.append(
        try document.scalar(type, at: node) {
          ValueDecoder(decoder(), .index(values.count), node)
        })
      node = document.next(node)
    }
    return values
  }
}
