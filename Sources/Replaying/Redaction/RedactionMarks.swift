import JSONCore
import Synchronization

/// What `Redacted` properties leave in an encoding while a recording is made: marks that tell where
/// they are, also after sets and dictionaries were sorted.
///
/// Everything happens in one call on one thread; the lock is for the compiler.
final class RedactionMarks: Sendable {
  /// The marks that encoders of this task leave; nil where nobody looks for them.
  @TaskLocal static var current: RedactionMarks?

  /// How often a `Redacted` property was encoded in this process.
  ///
  /// Who writes a machine without rules compares it before and after: so it costs two loads to know
  /// that there is nothing to list.
  static var redactedCount: Int { count.load(ordering: .relaxed) }

  private static let count = Atomic<Int>(0)

  /// Notes that a `Redacted` property is being encoded.
  static func noteRedacted() { count.wrappingAdd(1, ordering: .relaxed) }

  /// What a mark stands for.
  struct Meaning: Sendable {
    let real: JSON
    let standIn: JSON
  }

  private let meanings = ForkSafeMutex<[String: Meaning]>([:])
  private let key: RedactionKey

  /// Begins every mark: a character for private use, which no text of people has.
  static let prefix = "\u{E000}redacted:"

  /// Marks made with a key that nobody knows, so that no text of a user's can be taken for one.
  init(key: RedactionKey) {
    self.key = key
  }

  /// Whether nothing was marked.
  var isEmpty: Bool { meanings.withLock { $0.isEmpty } }

  /// The mark of a value; the same for equal values, so that sorted collections keep their order.
  func mark<Value: Encodable>(_ value: Value, standIn: Value) throws -> String {
    let (real, shown) = try Self.$current.withValue(nil) {
      (try CanonicalEncoder().encode(value), try CanonicalEncoder().encode(standIn))
    }
    let text = Self.prefix + key.hash(real + shown)
    let meaning = Meaning(real: try JSON(parsing: real), standIn: try JSON(parsing: shown))
    meanings.withLock { $0[text] = meaning }
    return text
  }

  /// What a text stands for, when it is a mark.
  func meaning(of text: String) -> Meaning? {
    guard Self.mayBeMark(text) else { return nil }
    return meanings.withLock { $0[text] }
  }

  /// Whether a text looks like a mark.
  static func mayBeMark(_ text: String) -> Bool { text.utf8.starts(with: prefix.utf8) }
}
