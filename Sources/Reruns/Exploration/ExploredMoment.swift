internal import Exploring
internal import JSONCore
internal import Timelines

/// What an event did in an exploration.
struct Transition: Sendable {
  var event: JSON
  /// The fingerprint of the state that it led to.
  var fingerprint: UInt64
  /// That state, with its outputs.
  var moment: Snapshot
  var found: Found?
}

/// Something that an exploration looks for, and the event at which it happened.
struct Found: Hashable, Sendable {
  enum Cause: Hashable, Sendable {
    /// The predicate holds.
    case predicate
    /// The reducer threw an error.
    case error(String)
    /// The reducer trapped.
    case trap(String?)
    /// The reducer did not finish within the limits of a request.
    case limit(String?)
  }

  var cause: Cause
  /// The event's name.
  var name: String

  /// What it has in common with others of its kind: errors whose messages differ only in numbers are one
  /// failure with other amounts.
  var kind: Found {
    guard case .error(let message) = cause else { return self }
    return Found(cause: .error(Self.withoutNumbers(message)), name: name)
  }

  private static func withoutNumbers(_ text: String) -> String {
    var result = ""
    var isNumber = false
    for character in text {
      guard character.isWholeNumber else {
        isNumber = false
        result.append(character)
        continue
      }
      if !isNumber {
        if result.last == "-" { result.removeLast() }
        result.append("0")
      }
      isNumber = true
    }
    return result
  }
}

/// States of an exploration whose events were not all sent, up to a limit.
///
/// States are used in the order in which they are kept, so one that has no room is not kept: its turn
/// comes after that of all others.
struct ExploredStates {
  private struct Texts {
    var state: [UInt8]
    var outputs: [UInt8]
  }

  private var texts: [Int: Texts] = [:]
  private var bytes = 0
  private let limit: Int

  /// - Parameter limit: the maximum number of bytes.
  init(limit: Int) { self.limit = limit }

  /// The number of states.
  var count: Int { texts.count }

  /// The state of a task; `nil` if it is not kept. The last task of a state removes it.
  mutating func moment(for task: BreadthFirst.Task) -> Snapshot? {
    guard let found = texts[task.node] else { return nil }
    // Plausible events come first.
    if !task.isPlausible {
      texts[task.node] = nil
      bytes -= Self.size(of: found)
    }
    guard let state = try? JSON(parsing: found.state),
      let outputs = try? JSON(parsing: found.outputs)
    else { return nil }
    return Snapshot(state: state, outputs: outputs)
  }

  /// Keeps a state if there is room.
  mutating func keep(_ moment: Snapshot, of node: Int) {
    guard bytes < limit else { return }
    let new = Texts(state: moment.state.encoded(), outputs: moment.outputs.encoded())
    let size = Self.size(of: new)
    guard bytes + size <= limit, texts[node] == nil else { return }
    bytes += size
    texts[node] = new
  }

  private static func size(of texts: Texts) -> Int {
    // Two arrays and a place in a dictionary.
    texts.state.count + texts.outputs.count + 160
  }
}
