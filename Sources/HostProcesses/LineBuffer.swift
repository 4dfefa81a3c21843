#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Splits a byte stream into lines.
///
/// Safe: borrowed bytes are copied within the call.
package struct LineBuffer {
  /// A line without its line feed, or one that exceeded the limit and was dropped.
  package enum Line {
    case whole([UInt8])
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var isSkipping = false

  package init(limit: Int) {
    self.limit = limit
  }

  /// Appends bytes, and calls `line` with each line they complete, and for a line that is too long as
  /// soon as it exceeds the limit.
  package mutating func append(_ new: UnsafeRawBufferPointer, _ line: (Line) -> Void) {
    var rest = new[...]
    while let end = Self.lineEnd(in: rest) {
      add(rest[..<end], line)
      if !isSkipping, !bytes.isEmpty { line(.whole(bytes)) }
      isSkipping = false
      bytes = []
      rest = rest[(end + 1)...]
    }
    add(rest, line)
  }

  private static func lineEnd(in part: Slice<UnsafeRawBufferPointer>) -> Int? {
    let bytes = UnsafeRawBufferPointer(rebasing: part)
    guard let base = bytes.baseAddress, let end = memchr(base, 0x0A, bytes.count) else {
      return nil
    }
    return part.startIndex + (UnsafeRawPointer(end) - base)
  }

  private mutating func add(_ part: Slice<UnsafeRawBufferPointer>, _ line: (Line) -> Void) {
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
