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
struct LineBuffer {
  /// A line without its line feed, or one that was longer than allowed and is gone.
  enum Line {
    case whole([UInt8])
    case tooLong
  }

  private let limit: Int
  private var bytes: [UInt8] = []
  private var isSkipping = false

  /// Lines of at most `limit` bytes.
  init(limit: Int) {
    self.limit = limit
  }

  /// Takes bytes, and hands out the lines that they complete.
  mutating func append(_ new: UnsafeRawBufferPointer, _ line: (Line) -> Void) {
    var rest = new[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      take(rest[..<end])
      if isSkipping {
        line(.tooLong)
      } else if !bytes.isEmpty {
        line(.whole(bytes))
      }
      isSkipping = false
      bytes = []
      rest = rest[(end + 1)...]
    }
    take(rest)
  }

  private mutating func take(_ part: Slice<UnsafeRawBufferPointer>) {
    guard !isSkipping else { return }
    if bytes.count + part.count > limit {
      isSkipping = true
      bytes = []
    } else {
      bytes.append(contentsOf: part)
    }
  }
}

/// Writes all bytes to a stream that blocks; false when nobody reads it any more.
@discardableResult
func writeAll(_ bytes: [UInt8], to stream: Int32) -> Bool {
  bytes.withUnsafeBytes { bytes in
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = write(stream, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { return false }
      rest = rest.dropFirst(written)
    }
    return true
  }
}
