import JSONCore
import Timelines

/// The values that were hidden in a step, or in its state.
final class RedactionFindings {
  private let key: RedactionKey?
  private(set) var secrets: [JSON] = []
  private var redactions: [Redaction] = []
  private var known: Set<Pointer> = []

  /// With a key, the list has hashes.
  init(key: RedactionKey?) { self.key = key }

  func record(_ pointer: Pointer, _ real: JSON, _ isSecret: Bool) {
    if isSecret { recordSecret(real) }
    guard known.insert(pointer).inserted else { return }
    redactions.append(Redaction(pointer, hash: key?.hash(real.encoded()) ?? ""))
  }

  /// Records a value whose texts must not be visible anywhere, and the keys of its dictionaries.
  func recordSecret(_ real: JSON, _ keys: [String] = []) {
    secrets.append(real)
    secrets += keys.map(JSON.string)
  }

  /// Replaces the original keys in places with the written keys.
  func rename(_ names: [Pointer: String]) {
    guard !names.isEmpty else { return }
    let former = redactions
    (redactions, known) = ([], [])
    for redaction in former {
      var (before, after) = (Pointer.root, Pointer.root)
      for token in redaction.pointer.tokens {
        before = before.appending(token)
        after = after.appending(names[before] ?? token)
      }
      guard known.insert(after).inserted else { continue }
      redactions.append(Redaction(after, hash: redaction.hash))
    }
  }

  /// The list without places inside other ones.
  func listed() -> [Redaction] {
    redactions.filter { redaction in
      var outer = redaction.pointer
      while !outer.isRoot {
        outer = outer.parent
        if known.contains(outer) { return false }
      }
      return true
    }
  }
}
