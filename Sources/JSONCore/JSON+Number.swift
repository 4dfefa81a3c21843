extension JSON {
  /// A number as its decimal value, exact.
  ///
  /// Integers of 64 bits are exact. A number of up to 17 significant digits in a double's range is
  /// that double, for every double is written with that many. Anything longer, as `Decimal` and
  /// `Int128` write, keeps its digits. So `1`, `1.0` and `10e-1` are one number, and reading what
  /// was written gives the same number again. Zero and minus zero are two: a debugger shows that
  /// difference.
  public struct Number: Hashable, Sendable {
    /// The one form that a value takes: of two forms that could hold it, the first.
    enum Form: Hashable, Sendable {
      case int(Int64)
      /// Above `Int64.max`.
      case uint(UInt64)
      /// Finite, not an integer that the forms above hold; minus zero is of this form.
      case double(Double)
      /// The digits without zeros at either end, and the power of ten of the last one.
      case digits(String, exponent: Int, isNegative: Bool)
    }

    let form: Form

    private static let minusZero = (-0.0).bitPattern

    fileprivate init(form: Form) {
      self.form = form
    }

    /// The integer.
    public init(_ value: Int64) {
      self.init(form: .int(value))
    }

    /// The integer.
    public init(_ value: UInt64) {
      self.init(form: Int64(exactly: value).map(Form.int) ?? .uint(value))
    }

    /// The double by its shortest decimal form, or `nil` when it is not finite.
    public init?(_ value: Double) {
      guard value.isFinite else { return nil }
      let exact = 9_007_199_254_740_992.0  // 2^53; beyond it every double is a whole number
      if value.magnitude < exact, Double(Int64(value)) == value, value.bitPattern != Self.minusZero
      {
        self.init(form: .int(Int64(value)))
      } else if value.magnitude >= exact, value.magnitude < 1.9e19 {
        // Such an integer stands for its shortest decimal, as it does once written.
        self.init(text: value.description)
      } else {
        self.init(form: .double(value))
      }
    }

    /// The number that a JSON text writes, or `nil` when it is none.
    public init?(text: String) {
      var text = text
      let parsed = text.withUTF8 { bytes -> Number? in
        guard JSONNumberGrammar.length(of: bytes, from: 0) == bytes.count else { return nil }
        return Number(validated: bytes)
      }
      guard let parsed else { return nil }
      self = parsed
    }

    /// The integer, when 64 bits hold it.
    public var int: Int64? {
      if case .int(let int) = form { int } else { nil }
    }

    /// The integer, when 64 bits without a sign hold it.
    public var uint: UInt64? {
      switch form {
      case .int(let int): UInt64(exactly: int)
      case .uint(let uint): uint
      default: nil
      }
    }

    /// The nearest double; infinite when the number is beyond them.
    public var double: Double {
      switch form {
      case .int(let int): Double(int)
      case .uint(let uint): Double(uint)
      case .double(let double): double
      case .digits: Double(text) ?? .nan
      }
    }
  }
}

extension JSON.Number: Comparable {
  /// Whether the first is less, exactly for integers and by the nearest double for others.
  public static func < (left: Self, right: Self) -> Bool {
    switch (left.form, right.form) {
    case (.int(let left), .int(let right)): left < right
    case (.uint(let left), .uint(let right)): left < right
    case (.int, .uint): true
    case (.uint, .int): false
    default: left.double < right.double
    }
  }
}

extension JSON.Number: CustomStringConvertible {
  /// The number as the canonical form writes it.
  public var description: String { text }

  /// The number as the canonical form writes it: ECMAScript's spelling, and `-0` for minus zero.
  public var text: String {
    switch form {
    case .int(let int): String(int)
    case .uint(let uint): String(uint)
    case .double(let double): Self.spell(double)
    case .digits(let digits, let exponent, let isNegative):
      Self.spell(digits, exponent: exponent, isNegative: isNegative)
    }
  }

  /// The shortest digits that read back as `value`, spelled as ECMAScript does.
  static func spell(_ value: Double) -> String {
    if value == 0 { return value.sign == .minus ? "-0" : "0" }
    var text = value.description
    let parts = text.withUTF8 { DecimalParts(validated: $0) }
    guard let parts, !parts.digits.isEmpty else { return text }
    return spell(parts.digits, exponent: parts.exponent, isNegative: parts.isNegative)
  }

  /// Digits without needless zeros as ECMAScript spells them: plain from 1e-6 to 1e21, else with an
  /// exponent; whole numbers of more digits than that stay plain when they have the digits.
  private static func spell(_ digits: String, exponent: Int, isNegative: Bool) -> String {
    let count = digits.utf8.count
    let point = count + exponent
    let sign = isNegative ? "-" : ""
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
  /// The number that bytes of the right grammar write, or `nil` when its exponent is beyond a
  /// billion.
  ///
  /// Safe: reads stay inside the buffer, which the caller lends for the time of the call.
  init?(validated bytes: UnsafeBufferPointer<UInt8>) {
    // Most numbers are short integers: no list of digits for them.
    if bytes.count <= 18, let int = Self.shortInteger(bytes) {
      self.init(form: .int(int))
      return
    }
    guard let parts = DecimalParts(validated: bytes) else { return nil }
    let count = parts.digits.utf8.count
    if count == 0 {
      self.init(form: parts.isNegative ? .double(-0.0) : .int(0))
      return
    }
    if parts.exponent >= 0, count + parts.exponent <= 20 {
      let plain = parts.digits + String(repeating: "0", count: parts.exponent)
      if let int = Int64((parts.isNegative ? "-" : "") + plain) {
        self.init(form: .int(int))
        return
      }
      if !parts.isNegative, let uint = UInt64(plain) {
        self.init(form: .uint(uint))
        return
      }
    }
    if count <= 17 {
      let double = Double(
        (parts.isNegative ? "-" : "") + parts.digits + "e" + String(parts.exponent))
      // A double whose spacing swallowed the decimals is an integer, which the text is not. So many
      // digits with decimals are less than 10^16, so that `Int64` holds what stands before them.
      if let double, double.isNormal, parts.exponent >= 0 || Double(Int64(double)) != double {
        self.init(form: .double(double))
        return
      }
      if let double, double.isSubnormal, Self.spell(double) == Self(parts).text {
        self.init(form: .double(double))
        return
      }
    }
    self.init(parts)
  }

  private init(_ parts: DecimalParts) {
    self.init(form: .digits(parts.digits, exponent: parts.exponent, isNegative: parts.isNegative))
  }

  private static func shortInteger(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard let first = bytes.first else { return nil }
    let isNegative = first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in bytes.dropFirst(isNegative ? 1 : 0) {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value &* 10 &+ Int64(digit)
    }
    if isNegative, value == 0 { return nil }
    return isNegative ? -value : value
  }
}

/// A number's significant digits and the power of ten of the last one.
struct DecimalParts {
  var isNegative = false
  var digits = ""
  var exponent = 0

  /// Reads bytes of the right grammar; `nil` when the exponent is beyond a billion.
  init?(validated bytes: UnsafeBufferPointer<UInt8>) {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count)
    var written = 0
    var afterPoint = 0
    var sawPoint = false
    var index = 0
    if bytes.first == UInt8(ascii: "-") {
      isNegative = true
      index = 1
    }
    scan: while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "."): sawPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        index += 1
        break scan
      case let digit:
        if sawPoint { afterPoint += 1 }
        if digit != UInt8(ascii: "0") || !digits.isEmpty { digits.append(digit) }
      }
      index += 1
    }
    let isSmall = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if index < bytes.count, isSmall || bytes[index] == UInt8(ascii: "+") { index += 1 }
    while index < bytes.count {
      written = min(written * 10 + Int(bytes[index] & 0xF), 10_000_000_000)
      index += 1
    }
    var zeros = 0
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      zeros += 1
    }
    if digits.isEmpty { return }
    guard written <= 1_000_000_000 else { return nil }
    exponent = (isSmall ? -written : written) - afterPoint + zeros
    self.digits = String(decoding: digits, as: UTF8.self)
  }
}
