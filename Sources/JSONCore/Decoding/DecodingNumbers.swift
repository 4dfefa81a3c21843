/// Numbers from bytes that were validated.
///
/// Safe: reads stay inside the buffer, which the caller lends for the duration of the call.
enum DecodingNumbers {
  /// The integer that the bytes represent, also as `1.0` or `1e3`; `nil` if they do not represent
  /// an integer, or it does not fit the type.
  @inline(__always)
  static func integer<T: FixedWidthInteger>(_ bytes: UnsafeBufferPointer<UInt8>) -> T? {
    // Eighteen digits always fit 64 bits.
    guard bytes.count <= 18 else { return longInteger(bytes) }
    var index = 0
    let isNegative = bytes[0] == UInt8(ascii: "-")
    if isNegative { index = 1 }
    var value: Int64 = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return longInteger(bytes) }
      value = value &* 10 &+ Int64(digit)
      index += 1
    }
    return T(exactly: isNegative ? 0 &- value : value)
  }

  @inline(never)
  private static func longInteger<T: FixedWidthInteger>(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) -> T? {
    guard isNumber(bytes), let parts = JSON.Number.Decimal(validated: bytes) else { return nil }
    let count = parts.digits.utf8.count
    guard count > 0 else { return 0 }
    // 2^128 has 39 digits.
    guard parts.exponent >= 0, count + parts.exponent <= 39 else { return nil }
    let zeros = String(repeating: "0", count: parts.exponent)
    return T((parts.isNegative ? "-" : "") + parts.digits + zeros)
  }

  /// The nearest double; `nil` if the bytes do not represent a number, or it is beyond all doubles.
  static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    guard isNumber(bytes) else { return nil }
    // A product or quotient of two exact doubles is rounded once, so it is the nearest.
    if let parts = Parts(bytes), parts.mantissa <= 1 << 53, parts.exponent.magnitude <= 22 {
      let magnitude = Double(parts.mantissa)
      let power = powers[Int(parts.exponent.magnitude)]
      let value = parts.exponent < 0 ? magnitude / power : magnitude * power
      return parts.isNegative ? -value : value
    }
    if let parts = Parts(bytes), let value = quotient(parts) { return value }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// The nearest double to a number of 16 to 18 digits, which is how most computed doubles are
  /// written; `nil` if this method does not apply.
  private static func quotient(_ parts: Parts) -> Double? {
    // A mantissa of 53 bits and more, 64 bits further left, by at most 10^18, which has 60: the
    // quotient has 57 and more, so that its last bit can represent everything after it.
    guard parts.mantissa > 1 << 53, (-18...0).contains(parts.exponent) else { return nil }
    let power = UInt128(UInt64(powers[-parts.exponent]))
    let (quotient, rest) = (UInt128(parts.mantissa) << 64).quotientAndRemainder(dividingBy: power)
    let shift = max(64 - quotient.leadingZeroBitCount, 0)
    var top = UInt64(truncatingIfNeeded: quotient >> UInt128(shift))
    if rest != 0 || UInt128(top) << UInt128(shift) != quotient { top |= 1 }
    // The conversion rounds, once; the power of two changes no digit.
    let value = Double(top) * Double(sign: .plus, exponent: shift - 64, significand: 1)
    return parts.isNegative ? -value : value
  }

  /// The nearest float, not by way of a double, which would round twice.
  static func float(_ bytes: UnsafeBufferPointer<UInt8>) -> Float? {
    guard isNumber(bytes) else { return nil }
    // As above: floats hold integers up to 2^24 and powers of ten up to 10^10.
    if let parts = Parts(bytes), parts.mantissa <= 1 << 24, parts.exponent.magnitude <= 10 {
      let magnitude = Float(parts.mantissa)
      let power = Float(powers[Int(parts.exponent.magnitude)])
      let value = parts.exponent < 0 ? magnitude / power : magnitude * power
      return parts.isNegative ? -value : value
    }
    guard let value = Float(String(decoding: bytes, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// The value of a quoted string that stands for a number that JSON does not have.
  static func notFinite<T: BinaryFloatingPoint>(_ bytes: UnsafeBufferPointer<UInt8>) -> T? {
    switch String(decoding: bytes, as: UTF8.self) {
    case "\"nan\"": T.nan
    case "\"inf\"": T.infinity
    case "\"-inf\"": -T.infinity
    default: nil
    }
  }

  /// Whether the bytes represent a number, judging by the first.
  @inline(__always)
  static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes[0] == UInt8(ascii: "-") || bytes[0] &- UInt8(ascii: "0") <= 9
  }

  /// The powers of ten that are doubles.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// A number of up to 18 digits as an integer and a power of ten.
  private struct Parts {
    var isNegative = false
    var mantissa: UInt64 = 0
    var exponent = 0

    @inline(__always)
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
      var index = 0
      var digits = 0
      var sawPoint = false
      if bytes[0] == UInt8(ascii: "-") {
        isNegative = true
        index = 1
      }
      while index < bytes.count {
        let byte = bytes[index]
        let digit = byte &- UInt8(ascii: "0")
        if digit <= 9 {
          mantissa = mantissa &* 10 &+ UInt64(digit)
          digits += 1
          if sawPoint { exponent -= 1 }
        } else if byte == UInt8(ascii: ".") {
          sawPoint = true
        } else {
          break
        }
        index += 1
      }
      // Nineteen digits may pass 64 bits.
      guard digits <= 18 else { return nil }
      guard index < bytes.count else { return }
      // The letter e.
      index += 1
      let isSmall = bytes[index] == UInt8(ascii: "-")
      if isSmall || bytes[index] == UInt8(ascii: "+") { index += 1 }
      var written = 0
      while index < bytes.count {
        written = written &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
        index += 1
        // Beyond every double's exponent; leave it to the slow path.
        guard written <= 400 else { return nil }
      }
      exponent += isSmall ? -written : written
    }
  }
}
