#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Puts the bytes of a stream together to lines.
///
/// Safe: what is lent is copied within the call.
package struct LineBuffer {
  /// A line without its line feed, or one that was longer than allowed and is gone.
  package enum Line {
    case whole([UInt8])
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var isSkipping = false

  /// Lines of at most `limit` bytes.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Takes bytes, and hands out the lines that they complete; one that is too long as soon as it is.
  package mutating func append(_ new: UnsafeRawBufferPointer, _ line: (Line) -> Void) {
    var rest = new[...]
    while let end = Self.lineEnd(in: rest) {
      take(rest[..<end], line)
      if !isSkipping, !bytes.isEmpty { line(.whole(bytes)) }
      isSkipping = false
      bytes = []
      rest = rest[(end + 1)...]
    }
    take(rest, line)
  }

  private static func lineEnd(in part: Slice<UnsafeRawBufferPointer>) -> Int? {
    let bytes = UnsafeRawBufferPointer(rebasing: part)
    guard let base = bytes.baseAddress, let end = memchr(base, 0x0A, bytes.count) else {
      return nil
    }
    return part.startIndex + (UnsafeRawPointer(end) - base)
  }

  private mutating func take(_ part: Slice<UnsafeRawBufferPointer>, _ line: (Line) -> Void) {
    guard !isSkipping else { return }
    if bytes.count + part.count > limit {
      isSkipping = true
      bytes = []
      line(.tooLong)
    } else {
      bytes.append(contentsOf: part)
    }
  }
}
