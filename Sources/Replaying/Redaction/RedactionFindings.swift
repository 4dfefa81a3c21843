import JSONCore
import Timelines

/// What was hidden in a step, or in the state of one.
final class RedactionFindings {
  private let key: RedactionKey?
  private(set) var secrets: [JSON] = []
  private var redactions: [Redaction] = []
  private var known: Set<Pointer> = []

  /// With a key the list carries hashes.
  init(key: RedactionKey?) { self.key = key }

  func note(_ pointer: Pointer, _ real: JSON, _ isSecret: Bool) {
    if isSecret { noteSecret(real) }
    guard known.insert(pointer).inserted else { return }
    redactions.append(Redaction(pointer, hash: key?.hash(real.encoded()) ?? ""))
  }

  /// Notes a value whose texts must not be seen anywhere.
  func noteSecret(_ real: JSON) { secrets.append(real) }

  /// Gives places the keys that are written, by those that there were.
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

  /// Without the places inside other ones.
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
