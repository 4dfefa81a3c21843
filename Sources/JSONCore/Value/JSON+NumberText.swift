extension JSON.Number: CustomStringConvertible {
  /// The number as the canonical form writes it.
  public var description: String { text }

  /// The number as the canonical form writes it: ECMAScript's spelling, and `-0` for minus zero.
  public var text: String {
    switch form {
    case .int(let int): String(int)
    case .uint(let uint): String(uint)
    case .double(let double): Self.spell(double)
    case .decimal(let decimal): decimal.text
    }
  }

  /// The shortest digits that read back as `value`, spelled as ECMAScript does.
  static func spell(_ value: Double) -> String {
    if value == 0 { return value.sign == .minus ? "-0" : "0" }
    var text = value.description
    let hasExponent = text.utf8.contains(UInt8(ascii: "e"))
    // Without an exponent Swift differs only in writing whole numbers with ".0".
    if !hasExponent { return text.hasSuffix(".0") ? String(text.dropLast(2)) : text }
    let decimal = text.withUTF8 { Decimal(validated: $0) }
    return decimal?.text ?? text
  }

  /// The bytes of its text.
  var byteCount: Int {
    guard case .int(let int) = form else { return text.utf8.count }
    var count = int < 0 ? 2 : 1
    var rest = int.magnitude
    while rest >= 10 {
      rest /= 10
      count += 1
    }
    return count
  }
}

extension JSON.Number.Decimal {
  /// The digits as ECMAScript spells them: plain from 1e-6 to 1e21, otherwise with an exponent;
  /// whole numbers with more significant digits than that stay plain.
  var text: String {
    let count = digits.utf8.count
    let sign = isNegative ? "-" : ""
    guard count > 0 else { return sign + "0" }
    if exponent >= 0, point <= max(21, count) {
      return sign + digits + String(repeating: "0", count: exponent)
    }
    if point > 0, exponent < 0 {
      return sign + digits.prefix(point) + "." + digits.dropFirst(point)
    }
    if point > -6, point <= 0 {
      return sign + "0." + String(repeating: "0", count: -point) + digits
    }
    let fraction = count > 1 ? "." + digits.dropFirst() : ""
    return sign + digits.prefix(1) + fraction + "e" + (point > 0 ? "+" : "-")
      + String((point - 1).magnitude)
  }
}

extension JSON.Number {
  /// The number that bytes matching the grammar represent, or `nil` if its exponent is beyond a
  /// billion.
  ///
  /// Safe: reads stay inside the buffer, which the caller lends for the duration of the call.
  init?(validated bytes: UnsafeBufferPointer<UInt8>) {
    if let number = Self.short(bytes) {
      self = number
      return
    }
    if let number = Self.plain(bytes) {
      self = number
      return
    }
    guard let decimal = Decimal(validated: bytes) else { return nil }
    self.init(decimal)
  }

  /// The number in the first representation that fits.
  private init(_ decimal: Decimal) {
    let count = decimal.digits.utf8.count
    let sign = decimal.isNegative ? "-" : ""
    if count == 0 {
      self.init(form: decimal.isNegative ? .double(-0.0) : .int(0))
      return
    }
    if decimal.exponent >= 0, decimal.point <= 20 {
      let plain = sign + decimal.digits + String(repeating: "0", count: decimal.exponent)
      if let int = Int64(plain) {
        self.init(form: .int(int))
        return
      }
      if let uint = UInt64(plain) {
        self.init(form: .uint(uint))
        return
      }
    }
    // No double's shortest decimal has more than 17 digits.
    if count <= 17 {
      let double = decimal.double
      if double.isFinite, double != 0, Self.spell(double) == decimal.text {
        self.init(form: .double(double))
        return
      }
    }
    self.init(form: .decimal(decimal))
  }

  /// A decimal with many digits that is exactly how Swift, like most writers, spells the double.
  private static func plain(_ bytes: UnsafeBufferPointer<UInt8>) -> JSON.Number? {
    // Seventeen digits, the sign, the point and a few zeros before them.
    guard bytes.count <= 24, bytes.contains(UInt8(ascii: ".")) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let double = Double(text), double.magnitude < wholeDoubles,
      double.description.utf8.elementsEqual(bytes)
    else { return nil }
    return JSON.Number(small: double)
  }

  /// Powers of ten that doubles hold exactly.
  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// A number with few digits and without an exponent, like most numbers.
  ///
  /// Integers of 18 digits fit 64 bits. Up to 15 digits and a power of ten that are both exact
  /// doubles, the one divided by the other is the nearest double, and its shortest decimal is the
  /// text's.
  private static func short(_ bytes: UnsafeBufferPointer<UInt8>) -> JSON.Number? {
    guard bytes.count <= 18, let first = bytes.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var value: Int64 = 0
    var fraction: Int?
    for index in (isNegative ? 1 : 0)..<bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit <= 9 {
        value = value &* 10 &+ Int64(digit)
      } else if bytes[index] == UInt8(ascii: ".") {
        fraction = bytes.count - 1 - index
      } else {
        return nil
      }
    }
    if let fraction {
      guard value < 1_000_000_000_000_000 else { return nil }
      let double = Double(value) / powers[fraction]
      return JSON.Number(small: isNegative ? -double : double)
    }
    if isNegative, value == 0 { return JSON.Number(form: .double(-0.0)) }
    return JSON.Number(form: .int(isNegative ? -value : value))
  }
}
