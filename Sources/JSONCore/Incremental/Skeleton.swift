/// A value's JSON text without its large parts, each replaced by one zero byte.
///
/// Canonical text never contains a zero byte, because control characters are escaped.
///
///     text     {"id":7,"items":[{"id":1},...,{"id":400}],"name":"cart"}
///     bytes    {"id":7,"items":0,"name":"cart"}
///                              ^ the zero byte
///     gaps     offset 16, value [Item], nesting 1, byteCount of [{"id":1},...,{"id":400}]
struct Skeleton {
  var bytes: [UInt8]
  var gaps: [Gap]

  /// An omitted part: the value itself, to be compared with the next value in its place.
  struct Gap {
    /// The position of its zero byte.
    var offset: Int
    var value: any LargeValue
    /// The number of arrays and objects around it.
    var nesting: Int
    /// The number of bytes in its text, if known.
    var byteCount: Int?
  }

  static let mark: UInt8 = 0

  /// The gaps in a range of the bytes.
  func gaps(in range: Range<Int>) -> Range<Int> {
    if gaps.isEmpty { return 0..<0 }
    return firstGap(from: range.lowerBound)..<firstGap(from: range.upperBound)
  }

  private func firstGap(from offset: Int) -> Int {
    var (low, high) = (0, gaps.count)
    while low < high {
      let middle = (low + high) / 2
      if gaps[middle].offset < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Walking the text, which JSONWriter made and which is therefore valid

  /// The end of the value that begins there.
  func end(ofValueAt start: Int) -> Int {
    var position = start
    var depth = 0
    repeat {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position = end(ofStringAt: position)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        position += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"), Self.mark:
        position += 1
      default:
        position = end(ofWordAt: position)
      }
    } while depth > 0
    return position
  }

  /// The end of the string, after its quote.
  func end(ofStringAt start: Int) -> Int {
    var position = start + 1
    while bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    return position + 1
  }

  private func end(ofWordAt start: Int) -> Int {
    var position = start
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return position
      default: position += 1
      }
    }
    return position
  }

  /// A member of an object: the text between the key's quotes, and the value.
  struct Member {
    var key: Range<Int>
    var value: Range<Int>
  }

  /// The members from there to the end of the object; `start` is after the brace or a comma.
  func members(from start: Int) -> [Member] {
    var result: [Member] = []
    var position = start
    while bytes[position] == UInt8(ascii: "\"") {
      let keyEnd = end(ofStringAt: position)
      let valueEnd = end(ofValueAt: keyEnd + 1)
      result.append(Member(key: position + 1..<keyEnd - 1, value: keyEnd + 1..<valueEnd))
      position = bytes[valueEnd] == UInt8(ascii: ",") ? valueEnd + 1 : valueEnd
    }
    return result
  }

  /// The elements of the array that begins there.
  func elements(ofArrayAt start: Int) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var position = start + 1
    while bytes[position] != UInt8(ascii: "]") {
      let end = end(ofValueAt: position)
      result.append(position..<end)
      position = bytes[end] == UInt8(ascii: ",") ? end + 1 : end
    }
    return result
  }
}

extension Skeleton {
  /// The identity of an element, by which it is matched even if it has changed: its `id` if it is
  /// an object that has one, a string or a number; otherwise all of it.
  func elementKey(_ element: Range<Int>) -> [UInt8] {
    if bytes[element.lowerBound] == UInt8(ascii: "{") {
      for member in members(from: element.lowerBound + 1) {
        guard bytes[member.key].elementsEqual("id".utf8) else { continue }
        switch bytes[member.value.lowerBound] {
        case UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
          return [1] + bytes[member.value]
        default: break
        }
      }
    }
    return gaps(in: element).reduce([0] + bytes[element]) { $0 + gaps[$1].value.storage.bytes }
  }

  /// Writes a range of the text including the omitted parts. Returns the gaps with their sizes.
  func write(
    _ range: Range<Int>, to writer: inout JSONWriter, engine: EncodingEngine
  ) throws -> [Gap] {
    var gaps = gaps
    var position = range.lowerBound
    for index in self.gaps(in: range) {
      writer.append(bytes[position..<gaps[index].offset])
      let text = try engine.wholeText(of: gaps[index].value, nesting: gaps[index].nesting)
      writer.append(text)
      gaps[index].byteCount = text.count
      position = gaps[index].offset + 1
    }
    writer.append(bytes[position..<range.upperBound])
    return gaps
  }
}
