import JSONCore
import Synchronization

/// Marks that `Redacted` properties leave in an encoding while recording. They show the places of the
/// properties, even after sets and dictionaries were sorted.
///
/// Only used within one call on one thread; the lock satisfies the compiler.
final class RedactionMarks: Sendable {
  /// The marks for encoders of this task; `nil` outside of a recording.
  @TaskLocal static var current: RedactionMarks?

  /// The number of times a `Redacted` property was encoded in this process.
  ///
  /// Writers of machines without rules compare it before and after encoding: two loads prove that
  /// nothing was redacted.
  static var redactedCount: Int { count.load(ordering: .relaxed) }

  private static let count = Atomic<Int>(0)

  /// Whether a `Redacted` value was decoded in this process. Before, no decoded event has one.
  static var wereDecoded: Bool { decoded.load(ordering: .relaxed) }

  private static let decoded = Atomic<Bool>(false)

  /// Records that a `Redacted` value was decoded.
  static func didDecode() {
    if !wereDecoded { decoded.store(true, ordering: .relaxed) }
  }

  /// Counts an encoded `Redacted` property.
  static func countRedacted() { count.wrappingAdd(1, ordering: .relaxed) }

  /// The values behind a mark.
  struct Meaning: Sendable {
    let real: HiddenValue
    let standIn: JSON
  }

  private let meanings = ForkSafeMutex<[String: Meaning]>([:])
  private let key: RedactionKey

  /// The prefix of every mark, with a private use character, which normal text does not have.
  static let prefix = "\u{E000}redacted:"

  /// Creates marks with a secret key, so that no user's text can imitate one.
  init(key: RedactionKey) {
    self.key = key
  }

  var isEmpty: Bool { meanings.withLock { $0.isEmpty } }

  /// The mark of a value. Equal values have equal marks, so that sorted collections keep their order.
  func mark<Value: Encodable>(_ value: Value, standIn: Value) throws -> String {
    let (real, shown) = try Self.$current.withValue(nil) {
      (try HiddenValue(value), try CanonicalEncoder().encode(standIn))
    }
    let text = Self.prefix + key.hash(real.json.encoded() + shown)
    let meaning = Meaning(real: real, standIn: try JSON(parsing: shown))
    meanings.withLock { $0[text] = meaning }
    return text
  }

  /// All values behind marks that are not stand-ins. An `encode(to:)` may write a mark as a part of a
  /// text, or not at all.
  var secrets: [HiddenValue] {
    meanings.withLock { $0.values.filter { $0.real.json != $0.standIn }.map(\.real) }
  }

  /// The values behind a text, if it is a mark.
  func meaning(of text: String) -> Meaning? {
    guard Self.mayBeMark(text) else { return nil }
    return meanings.withLock { $0[text] }
  }

  /// Whether a text looks like a mark.
  static func mayBeMark(_ text: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}
