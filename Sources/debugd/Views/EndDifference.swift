import JSONCore

/// How the last moments of two timelines differ, in the words of the page.
///
/// A number says the most and is named first; a container says the least.
struct EndDifference {
  private static let maximumNamed = 3
  private static let width = 40

  private struct Change {
    enum Kind: Equatable {
      /// Numbers of elements.
      case count(old: Int, new: Int)
      /// `nil` where there is nothing.
      case value(old: JSON?, new: JSON?)
      /// The value before is not known.
      case unknown
    }

    let tokens: [String]
    var kind: Kind
  }

  private var changes: [Change] = []
  /// The place of an array's change, by the array's path.
  private var counts: [[String]: Int] = [:]

  /// - Parameters:
  ///   - patch: from one moment to the other.
  ///   - before: the first moment, as far as it is known.
  init(_ patch: Patch, before: JSON) {
    for operation in patch.operations {
      let tokens = operation.path.tokens
      if isCounted(tokens, operation, before) { continue }
      let old = before[Pointer(tokens: tokens)]
      switch operation {
      case .replace(_, let new):
        if let old, old["$cut"] == nil {
          compare(old, new, at: tokens)
        } else {
          changes.append(Change(tokens: tokens, kind: .unknown))
        }
      case .add(_, let new):
        changes.append(Change(tokens: tokens, kind: .value(old: nil, new: new)))
      case .remove:
        changes.append(Change(tokens: tokens, kind: .value(old: old, new: nil)))
      case .move, .copy, .test: continue
      }
    }
  }

  /// Counts an element that is added to an array or removed. Indices below it have shifted from then on.
  private mutating func isCounted(
    _ tokens: [String], _ operation: Patch.Operation, _ before: JSON
  ) -> Bool {
    let parent = Array(tokens.dropLast())
    for length in parent.indices where counts[Array(tokens[..<length])] != nil { return true }
    var step = 0
    switch operation {
    case .add: step = 1
    case .remove: step = -1
    case .replace, .move, .copy, .test: break
    }
    if let place = counts[parent] {
      if case .count(let old, let new) = changes[place].kind {
        changes[place].kind = .count(old: old, new: max(0, new + step))
      }
      return true
    }
    guard step != 0, case .array(let elements)? = before[Pointer(tokens: parent)] else {
      return false
    }
    counts[parent] = changes.count
    changes.append(
      Change(tokens: parent, kind: .count(old: elements.count, new: max(0, elements.count + step))))
    return true
  }

  private mutating func compare(_ old: JSON, _ new: JSON, at tokens: [String]) {
    switch (old, new) {
    case (.object(let before), .object(let after)):
      for (key, value) in before {
        if let other = after[key] {
          compare(value, other, at: tokens + [key])
        } else {
          changes.append(Change(tokens: tokens + [key], kind: .value(old: value, new: nil)))
        }
      }
      for (key, value) in after where before[key] == nil {
        changes.append(Change(tokens: tokens + [key], kind: .value(old: nil, new: value)))
      }
    case (.array(let before), .array(let after)) where before.count == after.count:
      for (index, pair) in zip(before, after).enumerated() {
        compare(pair.0, pair.1, at: tokens + ["\(index)"])
      }
    case (.array(let before), .array(let after)):
      changes.append(
        Change(tokens: tokens, kind: .count(old: before.count, new: after.count)))
    default:
      if old != new { changes.append(Change(tokens: tokens, kind: .value(old: old, new: new))) }
    }
  }

  var text: String {
    var words: [String] = []
    let ranks = changes.map(Self.rank)
    for place in changes.indices.sorted(by: { (ranks[$0], $0) < (ranks[$1], $1) }) {
      let word = Self.word(for: changes[place])
      // An output is often called like the value that it shows.
      if !words.contains(word) { words.append(word) }
    }
    guard !words.isEmpty else { return "Ends in the same state." }
    let rest = words.count - Self.maximumNamed
    let more = rest > 0 ? [Amounts.count(Int64(rest), "more change")] : []
    return "At the end: \((words.prefix(Self.maximumNamed) + more).joined(separator: ", "))."
  }

  private static func rank(_ change: Change) -> Int {
    switch change.kind {
    case .value(.number?, .number?): 0
    case .count(let old, let new): old == new ? 4 : 1
    case .value(let old?, let new?): isScalar(old) && isScalar(new) ? 2 : 4
    case .value(let old, let new): isScalar(old ?? new ?? .null) ? 3 : 4
    case .unknown: 4
    }
  }

  private static func word(for change: Change) -> String {
    let path = change.tokens.dropFirst()
    let name = path.isEmpty ? change.tokens.first ?? "everything" : pathText(path)
    switch change.kind {
    case .count(let old, let new) where old != new:
      return "\(name) \(Amounts.count(Int64(old), "item")) → \(Amounts.count(Int64(new)))"
    case .value(let old, let new) where rank(change) < 4:
      return "\(name) \(text(of: old)) → \(text(of: new))"
    case .count, .value, .unknown: return "\(name) changed"
    }
  }

  private static func text(of value: JSON?) -> String {
    value.map { PrettyJSON.line($0, width: width) } ?? "nothing"
  }

  /// A path as code: `items[0].name`.
  private static func pathText(_ tokens: ArraySlice<String>) -> String {
    var text = ""
    for token in tokens {
      if Pointer.index(token) != nil {
        text += "[\(token)]"
      } else if token.wholeMatch(of: /[\p{L}_$][\p{L}\p{N}_$]*/) != nil {
        text += (text.isEmpty ? "" : ".") + token
      } else {
        text += "[\(JSON.string(token).description)]"
      }
    }
    return text
  }

  private static func isScalar(_ value: JSON) -> Bool {
    switch value {
    case .array, .object: false
    case .null, .bool, .number, .string: true
    }
  }
}
