import JSONCore

/// Texts that were hidden, and must not be seen anywhere else.
///
/// They are remembered beyond their step: what a login's event hid is still in the state after the
/// next event.
struct SecretTexts: Sendable {
  /// Stands for a secret inside other text.
  static let mask = "•••"

  /// Shorter texts occur everywhere by chance.
  private static let minimum = 4

  /// Keys of objects are mostly the names of properties, which a short secret may equal by chance;
  /// a replaced name would make the state unreadable.
  private static let minimumInKeys = 8

  /// How many are remembered: more than a session hides, few enough to look for all of them in
  /// every text. The oldest are forgotten.
  private static let limit = 256

  /// The latest last.
  private var texts: [[UInt8]] = []
  /// The same, longer ones first: one secret may contain another.
  private var longestFirst: [[UInt8]] = []

  /// Whether there is nothing to look for.
  var isEmpty: Bool { texts.isEmpty }

  /// Takes the texts in a value that was hidden.
  mutating func learn(from value: JSON) {
    switch value {
    case .string(let text): learn(text)
    case .array(let elements): for element in elements { learn(from: element) }
    case .object(let members):
      for (_, member) in members { learn(from: member) }
    case .null, .bool, .number: break
    }
  }

  private mutating func learn(_ text: String) {
    guard text.count >= Self.minimum, !text.contains(Self.mask) else { return }
    let bytes = Array(text.utf8)
    if let place = texts.firstIndex(of: bytes) {
      texts.append(texts.remove(at: place))
      return
    }
    texts.append(bytes)
    if texts.count > Self.limit { texts.removeFirst() }
    longestFirst = texts.sorted { $0.count > $1.count }
  }

  /// The text without secrets; nil when it holds none.
  func masking(_ text: String, isKey: Bool = false) -> String? {
    var bytes = Array(text.utf8)
    var isMasked = false
    for secret in longestFirst {
      guard secret.count <= bytes.count, !isKey || secret.count >= Self.minimumInKeys,
        let masked = Self.replacing(secret, in: bytes)
      else { continue }
      bytes = masked
      isMasked = true
    }
    return isMasked ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private static func replacing(_ secret: [UInt8], in text: [UInt8]) -> [UInt8]? {
    guard let first = secret.first else { return nil }
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    while place + secret.count <= text.count {
      guard text[place] == first, text[place..<place + secret.count].elementsEqual(secret) else {
        place += 1
        continue
      }
      result += text[copied..<place]
      result += Array(mask.utf8)
      place += secret.count
      copied = place
    }
    guard copied > 0 else { return nil }
    return result + text[copied...]
  }
}
