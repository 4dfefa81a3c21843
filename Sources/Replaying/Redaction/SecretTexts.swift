import JSONCore

/// Texts and numbers that were hidden, and must not be seen anywhere else.
///
/// They are remembered as long as the machine is recorded: what a login's event hid is still in the
/// state after the next event, and a log holds it for as long as the app runs. Where there is no room
/// for more, every text is hidden that may hold one of those that did not fit.
struct SecretTexts: Sendable {
  /// Replaces a secret inside other text.
  static let mask = "•••"
  private static let maskBytes = Array(mask.utf8)

  /// In scalars. Shorter texts occur everywhere by chance.
  private static let minimum = 4

  /// In bytes. Keys of objects are mostly the names of properties, which a short secret may equal by
  /// chance; a replaced name would make the state unreadable.
  private static let minimumInKeys = 8

  private var texts: TextPatterns
  private var digits: TextPatterns
  private var grams = TextGrams()
  private var hidesAllDigits = false

  /// How often something new was learned.
  private(set) var revision = 0

  init(limits: TextPatterns.Limits = TextPatterns.Limits()) {
    texts = TextPatterns(limits: limits)
    digits = TextPatterns(limits: limits)
  }

  /// Whether there is nothing to look for.
  var isEmpty: Bool { revision == 0 }

  /// Whether there was no room for a secret, so that more than the secrets is hidden.
  var isFull: Bool { !grams.isEmpty || hidesAllDigits }

  // MARK: Learning

  /// Remembers the texts and numbers in a value that was hidden.
  mutating func learn(from value: JSON) {
    switch value {
    case .string(let text): learn(text)
    case .number: learn(digits: NumberDigits.digits(ofNumber: value.encoded()))
    case .array(let elements): for element in elements { learn(from: element) }
    case .object(let members):
      for (_, member) in members { learn(from: member) }
    case .null, .bool: break
    }
  }

  private mutating func learn(_ text: String) {
    // A mask, from a state that came from a recording, hides nothing of its own.
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

  /// The text without secrets; nil when it holds none.
  func masking(_ text: String, isKey: Bool = false) -> String? {
    var bytes = Array(text.utf8)
    var isMasked = false
    // What remains around a mask may be a secret again, where secrets hold masks or bullets.
    for _ in 0..<8 {
      guard let ranges = ranges(in: bytes, isKey: isKey) else { return Self.mask }
      if ranges.isEmpty { return isMasked ? String(decoding: bytes, as: UTF8.self) : nil }
      bytes = Self.replacing(ranges, in: bytes)
      isMasked = true
    }
    return Self.mask
  }

  /// Whether a number, as JSON writes it, must not be seen.
  func hides(number: JSON) -> Bool {
    let bytes = number.encoded()
    guard bytes.count >= NumberDigits.minimum else { return false }
    if let own = NumberDigits.digits(ofNumber: bytes), hides(digits: own) { return true }
    guard let ranges = texts.ranges(in: bytes, ofAtLeast: NumberDigits.minimum),
      digitRanges(in: bytes)?.isEmpty == true
    else { return true }
    return !ranges.isEmpty || grams.mayOccur(in: bytes)
  }

  private func hides(digits own: [UInt8]) -> Bool {
    hidesAllDigits || digits.ranges(in: own)?.isEmpty != true
  }

  /// What is to be masked of a text; nil for all of it.
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
    guard !digits.isEmpty || hidesAllDigits else { return [] }
    var ranges: [Range<Int>] = []
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
