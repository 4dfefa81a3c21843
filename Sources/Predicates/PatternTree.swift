/// A pattern as it was read.
indirect enum PatternTree: Hashable, Sendable {
  /// Fits before every scalar.
  case empty
  /// One scalar of a set.
  case one(ScalarSet)
  /// A place between scalars.
  case place(Place)
  case sequence([PatternTree])
  case choice([PatternTree])
  /// So many times; without `most` any number.
  case repeated(PatternTree, least: Int, most: Int?)

  /// The places that a pattern can ask for.
  enum Place: Hashable, Sendable {
    case start
    case end
    /// Between a scalar of `\w` and none.
    case wordBoundary
    case noWordBoundary
  }

  /// The number of instructions that it compiles to; `Int.max` when it is beyond counting.
  var size: Int {
    switch self {
    case .empty: 0
    case .one, .place: 1
    case .sequence(let parts): Self.sum(parts.map(\.size))
    case .choice(let parts): Self.sum(parts.map(\.size) + [2 * (parts.count - 1)])
    case .repeated(let part, let least, let most):
      if let most {
        Self.sum([Self.product(part.size, most), most - least])
      } else {
        Self.sum([Self.product(part.size, max(least, 1)), 2])
      }
    }
  }

  private static func sum(_ sizes: [Int]) -> Int {
    sizes.reduce(0) { total, size in
      let (sum, overflows) = total.addingReportingOverflow(size)
      return overflows ? .max : sum
    }
  }

  private static func product(_ size: Int, _ times: Int) -> Int {
    let (product, overflows) = size.multipliedReportingOverflow(by: times)
    return overflows ? .max : product
  }
}

/// A set of Unicode scalars: some ranges, or all others.
struct ScalarSet: Hashable, Sendable {
  var ranges: [ClosedRange<UInt32>] = []
  var isNegated = false

  init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
    self.ranges = ranges
    self.isNegated = isNegated
  }

  init(_ scalar: Unicode.Scalar) {
    ranges = [scalar.value...scalar.value]
  }

  static let digits = ScalarSet([0x30...0x39])
  static let wordScalars = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let spaces = ScalarSet([0x09...0x0D, 0x20...0x20])
  static let notNewline = ScalarSet([0x0A...0x0A], isNegated: true)
  static let everything = ScalarSet([], isNegated: true)

  /// All scalars that are not in this set.
  var inverted: ScalarSet { ScalarSet(ranges, isNegated: !isNegated) }

  /// Whether the scalar is in the set.
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0.contains(scalar.value) } != isNegated
  }

  /// Whether the scalar, its lowercase or its uppercase form is in the set; of a negated set,
  /// whether none of them is in what it leaves out.
  func containsIgnoringCase(_ scalar: Unicode.Scalar) -> Bool {
    let forms = [scalar, scalar.simpleLowercase, scalar.simpleUppercase]
    return forms.contains { form in ranges.contains { $0.contains(form.value) } } != isNegated
  }

  /// The ranges that it stands for, negation resolved; surrogates may be among them.
  var positiveRanges: [ClosedRange<UInt32>] {
    guard isNegated else { return ranges }
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = max(next, range.upperBound + 1)
    }
    if next <= 0x10FFFF { result.append(next...0x10FFFF) }
    return result
  }
}

extension Unicode.Scalar {
  /// The lowercase form, where that is one scalar; else the scalar itself.
  var simpleLowercase: Unicode.Scalar {
    if value < 0x80 {
      return (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value | 0x20)) : self
    }
    let forms = properties.lowercaseMapping.unicodeScalars
    return forms.count == 1 ? forms.first ?? self : self
  }

  /// The uppercase form, where that is one scalar; else the scalar itself.
  var simpleUppercase: Unicode.Scalar {
    if value < 0x80 {
      return (0x61...0x7A).contains(value) ? Unicode.Scalar(UInt8(value & ~0x20)) : self
    }
    let forms = properties.uppercaseMapping.unicodeScalars
    return forms.count == 1 ? forms.first ?? self : self
  }
}
