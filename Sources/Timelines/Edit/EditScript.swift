public import JSONCore

/// A list of changes to the events of a timeline, applied in order.
///
/// ```swift compiled
/// func plan(_ timeline: Timeline) throws -> ForkPlan {
///   let script = try EditScript(reading: #"[{"drop":5},{"insert":"flip","before":7}]"#)
///   return try script.plan(for: timeline)
/// }
/// ```
public struct EditScript: Equatable, Sendable {
  /// The changes.
  public var edits: [Edit]

  /// Creates a script.
  public init(_ edits: [Edit] = []) {
    self.edits = edits
  }
}

extension EditScript {
  /// Parses the text of a script.
  public init(reading text: String, limits: JSONLimits = .standard) throws(EditError) {
    let slice: JSONSlice
    do {
      slice = try JSONSlice(validating: Array(text.utf8), limits: limits)
    } catch {
      throw EditError(.json(error))
    }
    try self.init(reading: slice)
  }

  /// Reads a script in a message.
  public init(reading slice: JSONSlice) throws(EditError) {
    guard slice.kind == .array else { throw EditError(.notAnArray) }
    edits = []
    for edit in slice.elements { edits.append(try Edit(edit, index: edits.count)) }
  }

  /// The script as JSON.
  public var text: [UInt8] {
    var text = JSONText()
    text.array(edits) { $1.write(to: &$0) }
    return text.bytes
  }
}

extension Edit {
  private static let dropForms =
    "a seq, or the first and the last of a stretch; to drop other entries, use an edit for each"
  private static let words = ["drop", "replace", "insert", "move", "append", "cut", "start"]

  fileprivate init(_ slice: JSONSlice, index: Int) throws(EditError) {
    guard slice.kind == .object else { throw EditError(.notAnObject, index: index) }
    let words = slice.members.map(\.key).filter(Self.words.contains)
    guard let word = words.first, words.count == 1, let value = slice[word] else {
      throw EditError(words.isEmpty ? .noWord : .severalWords(words), index: index)
    }
    func seq(_ slice: JSONSlice?, _ key: String) throws(EditError) -> Int64 {
      guard let slice else { throw EditError(.missing(key), index: index) }
      guard let seq = slice.int, seq >= 0 else {
        throw EditError(.expected(key, "a seq, an integer from 0 on"), index: index)
      }
      return seq
    }
    switch word {
    case "drop" where value.kind == .array:
      let ends = Array(value.elements)
      guard ends.count == 2, let first = ends[0].int, let last = ends[1].int, first >= 0,
        first <= last
      else {
        throw EditError(.expected("drop", Self.dropForms), index: index)
      }
      self = .drop(first...last)
    case "drop": self = .drop(try seq(value, word))
    case "replace":
      guard let event = slice["event"] else { throw EditError(.missing("event"), index: index) }
      self = .replace(try seq(value, word), event: event.onOneLine)
    case "insert":
      self = .insert(event: value.onOneLine, before: try seq(slice["before"], "before"))
    case "move": self = .move(try seq(value, word), before: try seq(slice["before"], "before"))
    case "append": self = .append(event: value.onOneLine)
    case "cut": self = .cut(try seq(value, word))
    default:
      if slice["literal"]?.bool != true, let seq = Self.reference(value) {
        self = .startAt(seq)
      } else {
        self = .start(state: value.onOneLine)
      }
    }
  }

  /// The seq of a start that refers to an entry: an object with only the key `seq`.
  ///
  /// A state that looks like this needs `"literal":true` next to it.
  private static func reference(_ slice: JSONSlice) -> Int64? {
    var members = slice.members
    guard let member = members.next(), member.hasKey("seq"), members.next() == nil,
      let seq = member.value.int, seq >= 0
    else { return nil }
    return seq
  }

  fileprivate func write(to text: inout JSONText) {
    text.object { text in
      switch self {
      case .drop(let range) where range.lowerBound == range.upperBound:
        text.member("drop", range.lowerBound)
      case .drop(let range):
        text.key("drop")
        text.array([range.lowerBound, range.upperBound]) { $0.integer($1) }
      case .replace(let seq, let event):
        text.member("replace", seq)
        text.member("event", raw: event.bytes)
      case .insert(let event, let seq):
        text.member("insert", raw: event.bytes)
        text.member("before", seq)
      case .move(let seq, let target):
        text.member("move", seq)
        text.member("before", target)
      case .append(let event): text.member("append", raw: event.bytes)
      case .cut(let seq): text.member("cut", seq)
      case .startAt(let seq): text.member("start") { $0.member("seq", seq) }
      case .start(let state):
        text.member("start", raw: state.bytes)
        if Self.reference(state) != nil { text.member("literal", raw: "true".utf8) }
      }
    }
  }
}
