extension JSONWriter {
  @inline(__always)
  package mutating func writeNull() {
    append(literal: "null")
  }

  @inline(__always)
  package mutating func write(_ value: Bool) {
    if value { append(literal: "true") } else { append(literal: "false") }
  }

  /// Writes an integer of any width in full.
  @inline(__always)
  package mutating func write<Integer: FixedWidthInteger>(_ value: Integer) {
    if Integer.bitWidth <= 64 {
      reserve(20)
      if value < 0 {
        cursor.pointee = UInt8(ascii: "-")
        advance(by: 1)
      }
      write(digitsOf: UInt64(truncatingIfNeeded: value.magnitude))
    } else {
      writeText(of: value.description)
    }
  }

  /// Writes the digits of `value`; the caller has reserved 20 bytes.
  private mutating func write(digitsOf value: UInt64) {
    var length = 1
    var bound: UInt64 = 10
    // 64 bits have at most 20 digits; the bound itself would overflow beyond 19.
    while length < 20, value >= bound {
      length += 1
      if length < 20 { bound &*= 10 }
    }
    var rest = value
    let end = cursor + length
    var position = 1
    while rest >= 10 {
      let next = rest / 10
      (end - position).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest &- next &* 10)
      rest = next
      position &+= 1
    }
    (end - position).pointee = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
    advance(by: length)
  }

  /// Writes a double in the canonical form.
  ///
  /// The shortest digits that read back as the same double, laid out as ECMAScript does (and so as
  /// every browser's `JSON.stringify`): `1`, `0.1`, `1e-7`, `100000000000000000000`, `1e+21`. Two
  /// things differ from it, because nothing may be lost: `-0` keeps its sign, and values that are
  /// not finite are the strings `"nan"`, `"inf"`, and `"-inf"`.
  package mutating func write(_ value: Double) {
    // Below 2^53 every integral double is an exact Int64.
    if value.magnitude < 9_007_199_254_740_992, value == value.rounded(.towardZero) {
      if value == 0, value.sign == .minus { append(literal: "-0") } else { write(Int64(value)) }
    } else if !value.isFinite {
      writeNonFinite(isNaN: value.isNaN, isNegative: value < 0)
    } else if !writeShortDecimal(value) {
      writeShortest(value.description)
    }
  }

  /// Writes a float as the shortest digits that read back as the same *float*.
  package mutating func write(_ value: Float) {
    // Below 2^24 every integral float is exact; above, the shortest digits may be other ones.
    if value.magnitude < 16_777_216, value == value.rounded(.towardZero) {
      if value == 0, value.sign == .minus { append(literal: "-0") } else { write(Int64(value)) }
    } else if !value.isFinite {
      writeNonFinite(isNaN: value.isNaN, isNegative: value < 0)
    } else {
      writeShortest(value.description)
    }
  }

  private mutating func writeNonFinite(isNaN: Bool, isNegative: Bool) {
    if isNaN {
      append(literal: "\"nan\"")
    } else if isNegative {
      append(literal: "\"-inf\"")
    } else {
      append(literal: "\"inf\"")
    }
  }

  /// Writes a double that is a short decimal, like prices, times, and coordinates. Returns false if
  /// it is not one.
  ///
  /// With `scaled` = value × 10^k an integer below 10^15, and `scaled` / 10^k giving the value
  /// again, the decimal reads back as this double, because a correctly rounded division of two
  /// exact numbers is what a reader computes. Decimals of at most 15 digits all read as different
  /// doubles, so no other one of them, in particular no shorter one, reads as this value.
  private mutating func writeShortDecimal(_ value: Double) -> Bool {
    let magnitude = value.magnitude
    // Below this the layout has an exponent or many zeros, which the general path handles.
    guard magnitude >= 0.001, magnitude < 1e14 else { return false }
    var power = 1.0
    var places = 0
    while places < 6 {
      places += 1
      power *= 10
      // Rounded to nearest, because 0.57 × 100 is 56.99999999999999; the quotient proves the
      // result.
      let scaled = (magnitude * power).rounded()
      guard scaled < 1e15 else { return false }
      guard scaled / power == magnitude else { continue }
      reserve(24)
      if value < 0 {
        cursor.pointee = UInt8(ascii: "-")
        advance(by: 1)
      }
      let whole = magnitude.rounded(.towardZero)
      write(digitsOf: UInt64(whole))
      cursor.pointee = UInt8(ascii: ".")
      var fraction = UInt64(scaled) - UInt64(whole) * UInt64(power)
      var position = places
      while position > 0 {
        let next = fraction / 10
        cursor[position] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: fraction &- next &* 10)
        fraction = next
        position -= 1
      }
      advance(by: places + 1)
      return true
    }
    return false
  }

  /// Writes a number from the standard library's shortest description of it.
  ///
  /// The description has the correct digits (`1e-05`, `0.1`, `1.5e+300`) in another layout.
  private mutating func writeShortest(_ description: String) {
    var digits: [UInt8] = []
    digits.reserveCapacity(17)
    var exponent = 0
    var point: Int?
    var bytes = description.utf8.makeIterator()
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "-"):
        append(byte)
      case UInt8(ascii: "."):
        point = digits.count
      case UInt8(ascii: "e"):
        var isNegative = false
        while let byte = bytes.next() {
          if byte == UInt8(ascii: "-") {
            isNegative = true
          } else if byte != UInt8(ascii: "+") {
            exponent = exponent * 10 + Int(byte - UInt8(ascii: "0"))
          }
        }
        if isNegative { exponent = -exponent }
      default:
        digits.append(byte)
      }
    }
    // The value is 0.d₁d₂d₃… × 10^scale.
    var scale = (point ?? digits.count) + exponent
    let zeros = digits.prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeFirst(zeros)
    scale -= zeros
    while digits.last == UInt8(ascii: "0") { digits.removeLast() }
    layOut(digits, scale: scale)
  }

  /// ECMAScript's layout of a number: positional from 1e-6 up to 21 digits, otherwise exponential.
  private mutating func layOut(_ digits: [UInt8], scale: Int) {
    let zero = UInt8(ascii: "0")
    let point = UInt8(ascii: ".")
    if scale > 21 || scale <= -6 {
      append(digits[0])
      if digits.count > 1 {
        append(point)
        append(digits[1...])
      }
      append(UInt8(ascii: "e"))
      append(UInt8(ascii: scale > 0 ? "+" : "-"))
      write(abs(scale - 1))
    } else if scale <= 0 {
      append(literal: "0.")
      for _ in scale..<0 { append(zero) }
      append(digits)
    } else if digits.count <= scale {
      append(digits)
      for _ in digits.count..<scale { append(zero) }
    } else {
      append(digits[..<scale])
      append(point)
      append(digits[scale...])
    }
  }
}
