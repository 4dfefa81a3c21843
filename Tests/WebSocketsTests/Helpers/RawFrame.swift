/// A valid or invalid frame as bytes.
struct RawFrame: Sendable {
  var isFinal = true
  var reserved: UInt8 = 0
  var opcode: UInt8
  var payload: [UInt8] = []
  /// `nil` leaves the mask out.
  var mask: [UInt8]? = [0x12, 0x34, 0x56, 0x78]
  /// A length to announce instead of the payload's.
  var length: UInt64?

  static func text(_ text: String, isFinal: Bool = true) -> RawFrame {
    RawFrame(isFinal: isFinal, opcode: 1, payload: Array(text.utf8))
  }

  static func text(_ bytes: [UInt8], isFinal: Bool = true) -> RawFrame {
    RawFrame(isFinal: isFinal, opcode: 1, payload: bytes)
  }

  static func binary(_ bytes: [UInt8], isFinal: Bool = true) -> RawFrame {
    RawFrame(isFinal: isFinal, opcode: 2, payload: bytes)
  }

  static func more(_ bytes: [UInt8], isFinal: Bool = true) -> RawFrame {
    RawFrame(isFinal: isFinal, opcode: 0, payload: bytes)
  }

  static func close(_ code: Int, _ reason: String = "") -> RawFrame {
    RawFrame(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
  }

  static func ping(_ bytes: [UInt8] = []) -> RawFrame { RawFrame(opcode: 9, payload: bytes) }

  var bytes: [UInt8] {
    var bytes: [UInt8] = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
    let marked: UInt8 = mask == nil ? 0 : 0x80
    let length = length ?? UInt64(payload.count)
    if length < 126 {
      bytes.append(marked | UInt8(length))
    } else if length < 65_536 {
      bytes += [marked | 126, UInt8(length >> 8), UInt8(length & 255)]
    } else {
      bytes.append(marked | 127)
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
    }
    guard let mask else { return bytes + payload }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  /// Its bytes in hexadecimal digits.
  var hex: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
