extension JSON {
  /// A number with its exact decimal value.
  ///
  /// Integers of 64 bits are exact, and so is every decimal: `1`, `1.0` and `10e-1` are one number,
  /// `0.1` and `0.10000000000000001` are two, and reading what was written gives the same number
  /// again. A double stands for the shortest decimal that reads back as it. Zero and minus zero are
  /// two: a debugger shows that difference.
  public struct Number: Hashable, Sendable {
    /// The representation of a value; if two cases could represent it, the first is used.
    enum Form: Hashable, Sendable {
      case int(Int64)
      /// Above `Int64.max`.
      case uint(UInt64)
      /// Finite, not an integer that the forms above hold; minus zero is of this form.
      case double(Double)
      /// A decimal that is not the shortest one of any double. Stored indirectly, because it is
      /// rare and would make every value larger.
      indirect case decimal(Decimal)

      static func == (left: Form, right: Form) -> Bool {
        switch (left, right) {
        case (.int(let left), .int(let right)): left == right
        case (.uint(let left), .uint(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.decimal(let left), .decimal(let right)): left == right
        default: false
        }
      }

      func hash(into hasher: inout Hasher) {
        switch self {
        case .int(let int): hasher.combine(int)
        case .uint(let uint): hasher.combine(uint)
        case .double(let double): hasher.combine(double.bitPattern)
        case .decimal(let decimal): hasher.combine(decimal)
        }
      }
    }

    let form: Form

    init(form: Form) {
      self.form = form
    }

    /// The integer.
    public init(_ value: Int64) {
      form = .int(value)
    }

    /// The integer.
    public init(_ value: UInt64) {
      form = Int64(exactly: value).map(Form.int) ?? .uint(value)
    }

    /// The double by its shortest decimal form, or `nil` if it is not finite.
    public init?(_ value: Double) {
      guard value.isFinite else { return nil }
      if value.magnitude < Self.wholeDoubles {
        self.init(small: value)
      } else if value.magnitude < 1.9e19 {
        // Such an integer stands for its shortest decimal, as it does once written.
        self.init(text: value.description)
      } else {
        self.init(form: .double(value))
      }
    }

    /// The number that a JSON text represents, or `nil` if it is not a number.
    public init?(text: String) {
      var text = text
      let parsed = text.withUTF8 { bytes -> Number? in
        guard JSONNumberGrammar.length(of: bytes, from: 0) == bytes.count else { return nil }
        return Number(validated: bytes)
      }
      guard let parsed else { return nil }
      self = parsed
    }

    /// From 2^53 up, every double is a whole number.
    static let wholeDoubles = 9_007_199_254_740_992.0

    /// A double below `wholeDoubles`.
    init(small value: Double) {
      let int = Int64(value)
      let isWhole = Double(int) == value && (int != 0 || value.sign == .plus)
      form = isWhole ? .int(int) : .double(value)
    }

    /// The integer, if it fits 64 bits.
    public var int: Int64? {
      if case .int(let int) = form { int } else { nil }
    }

    /// The integer, if it fits 64 bits without a sign.
    public var uint: UInt64? {
      switch form {
      case .int(let int): UInt64(exactly: int)
      case .uint(let uint): uint
      default: nil
      }
    }

    /// The nearest double; infinite if the number is too large.
    public var double: Double {
      switch form {
      case .int(let int): Double(int)
      case .uint(let uint): Double(uint)
      case .double(let double): double
      case .decimal(let decimal): decimal.double
      }
    }

    /// Whether it is zero or minus zero.
    var isZero: Bool {
      switch form {
      case .int(let int): int == 0
      case .double(let double): double == 0
      case .uint, .decimal: false
      }
    }
  }
}

extension JSON.Number: Comparable {
  /// Whether the first is less, exactly; minus zero is less than zero.
  public static func < (left: Self, right: Self) -> Bool {
    switch (left.form, right.form) {
    case (.int(let left), .int(let right)): left < right
    case (.uint(let left), .uint(let right)): left < right
    case (.int, .uint): true
    case (.uint, .int): false
    case (.double(let left), .double(let right)): left < right
    default: left.decimal < right.decimal
    }
  }
}
