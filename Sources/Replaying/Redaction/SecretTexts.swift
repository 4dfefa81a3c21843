import JSONCore

/// Hidden texts and numbers, which must not be visible anywhere else.
///
/// They are kept as long as the machine is recorded: the secret of a login event may stay in the
/// state and in logs for as long as the app runs. If the memory is full, every text is hidden that
/// may contain a secret that did not fit.
struct SecretTexts: Sendable {
  /// Replaces a secret in a text.
  static let mask = "•••"
  private static let maskBytes = Array(mask.utf8)

  /// In Unicode scalars. Shorter texts occur everywhere by chance.
  private static let minimum = 4

  /// In bytes. Most keys are names of properties, which may equal a short secret by chance, and a
  /// replaced name would make the state unreadable.
  private static let minimumInKeys = 8

  private var texts: TextPatterns
  private var digits: TextPatterns
  /// The keys of numbers, by which they are found where they are written with an exponent.
  private var numbers: Set<[UInt8]> = []
  private let numberLimit: Int
  private var grams = TextGrams()
  private var hidesAllDigits = false

  /// Increases with every new secret.
  private(set) var revision = 0

  init(limits: TextPatterns.Limits = TextPatterns.Limits()) {
    texts = TextPatterns(limits: limits)
    digits = TextPatterns(limits: limits)
    numberLimit = limits.count
  }

  var isEmpty: Bool { revision == 0 }

  /// Whether the memory is full, so that more than the secrets is hidden.
  var isFull: Bool { !grams.isEmpty || hidesAllDigits }

  // MARK: Learning

  /// Learns the texts and numbers in a hidden value.
  mutating func learn(from value: JSON) {
    switch value {
    case .string(let text): learn(text)
    case .number: learn(number: DecimalDigits(value.encoded()))
    case .array(let elements): for element in elements { learn(from: element) }
    case .object(let members):
      for (_, member) in members { learn(from: member) }
    case .null, .bool: break
    }
  }

  private mutating func learn(_ text: String) {
    // A mask in a recorded state is not a secret itself.
    guard text != Self.mask else { return }
    let bytes = Array(text.utf8)
    guard bytes.count(where: { $0 & 0xC0 != 0x80 }) >= Self.minimum else { return }
    switch texts.insert(bytes) {
    case .known: return
    case .inserted: break
    case .full: grams.insert(bytes)
    }
    revision += 1
    learn(digits: NumberDigits.digits(ofText: bytes))
  }

  private mutating func learn(number: DecimalDigits?) {
    guard let number, number.count >= NumberDigits.minimum else { return }
    learn(digits: NumberDigits.digits(of: number))
    guard !numbers.contains(number.key) else { return }
    if numbers.count < numberLimit { numbers.insert(number.key) } else { hidesAllDigits = true }
    revision += 1
  }

  private mutating func learn(digits bytes: [UInt8]?) {
    guard let bytes else { return }
    switch digits.insert(bytes) {
    case .known: return
    case .inserted: break
    case .full: hidesAllDigits = true
    }
    revision += 1
  }

  // MARK: Masking

  /// The masked text; `nil` if it has no secrets.
  func masking(_ text: String, isKey: Bool = false) -> String? {
    var bytes = Array(text.utf8)
    var isMasked = false
    // The text around a mask may be a secret again, if secrets contain masks or bullets.
    for _ in 0..<8 {
      guard let ranges = ranges(in: bytes, isKey: isKey) else { return Self.mask }
      if ranges.isEmpty { return isMasked ? String(decoding: bytes, as: UTF8.self) : nil }
      bytes = Self.replacing(ranges, in: bytes)
      isMasked = true
    }
    return Self.mask
  }

  /// Whether a JSON number must be hidden.
  func hides(number: JSON) -> Bool {
    let bytes = number.encoded()
    // With an exponent, a few characters are a long number.
    guard bytes.count >= NumberDigits.minimum || bytes.contains(UInt8(ascii: "e")) else {
      return false
    }
    if let own = DecimalDigits(bytes), hides(own) { return true }
    guard let ranges = texts.ranges(in: bytes, ofAtLeast: NumberDigits.minimum),
      digitRanges(in: bytes)?.isEmpty == true
    else { return true }
    return !ranges.isEmpty || grams.mayOccur(in: bytes)
  }

  private func hides(_ number: DecimalDigits) -> Bool {
    guard number.count >= NumberDigits.minimum else { return false }
    if hidesAllDigits || numbers.contains(number.key) { return true }
    return NumberDigits.digits(of: number).map { digits.ranges(in: $0)?.isEmpty != true } ?? false
  }

  /// The ranges to mask in a text; `nil` for all of it.
  private func ranges(in bytes: [UInt8], isKey: Bool) -> [Range<Int>]? {
    let minimum = isKey ? Self.minimumInKeys : 0
    if !grams.isEmpty, bytes.count >= minimum, bytes != Self.maskBytes,
      grams.mayOccur(in: bytes)
    {
      return nil
    }
    guard let words = texts.ranges(in: bytes, ofAtLeast: minimum),
      let numbers = digitRanges(in: bytes)
    else { return nil }
    guard !numbers.isEmpty else { return words }
    return Self.union(words + numbers)
  }

  private func digitRanges(in bytes: [UInt8]) -> [Range<Int>]? {
    guard !digits.isEmpty || !numbers.isEmpty || hidesAllDigits else { return [] }
    var ranges = ExponentForm.all(in: bytes).filter { hides($0.digits) }.map(\.range)
    for run in NumberDigits.runs(in: bytes) {
      let all = 0..<run.digits.count
      guard let found = hidesAllDigits ? [all] : digits.ranges(in: run.digits) else { return nil }
      ranges += found.map { run.places[$0.lowerBound]..<run.places[$0.upperBound - 1] + 1 }
    }
    return ranges
  }

  private static func union(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var union: [Range<Int>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = union.last, last.upperBound >= range.lowerBound {
        union[union.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        union.append(range)
      }
    }
    return union
  }

  private static func replacing(_ ranges: [Range<Int>], in text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var copied = 0
    for range in ranges {
      result += text[copied..<range.lowerBound]
      result += maskBytes
      copied = range.upperBound
    }
    return result + text[copied...]
  }
}
