internal import JSONCore
internal import Timelines

/// What an event did in an exploration.
struct Transition: Sendable {
  /// The event.
  var event: JSON
  /// The fingerprint of the state that it led to.
  var fingerprint: UInt64
  /// That state, with its outputs.
  var moment: Snapshot
  /// What was found, if anything.
  var found: Found?
}

/// Something that an exploration looks for, and the event at which it happened.
struct Found: Hashable, Sendable {
  /// The kind of it.
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
}

/// The states of an exploration that were computed, up to a limit; those that are needed first stay.
struct ExploredStates {
  private struct Texts {
    var state: [UInt8]
    var outputs: [UInt8]
  }

  private var texts: [Int: Texts] = [:]
  private var order: [Int] = []
  private var start = 0
  private var bytes = 0
  private let limit: Int

  /// - Parameter limit: the maximum number of bytes; older states make room for newer ones.
  init(limit: Int) { self.limit = limit }

  subscript(node: Int) -> Snapshot? {
    guard let found = texts[node], let state = try? JSON(parsing: found.state),
      let outputs = try? JSON(parsing: found.outputs)
    else { return nil }
    return Snapshot(state: state, outputs: outputs)
  }

  mutating func keep(_ moment: Snapshot, of node: Int) {
    let new = Texts(state: moment.state.encoded(), outputs: moment.outputs.encoded())
    bytes += Self.size(of: new)
    texts[node] = new
    order.append(node)
    while bytes > limit, start < order.count {
      if let old = texts.removeValue(forKey: order[start]) { bytes -= Self.size(of: old) }
      start += 1
    }
    if start > 4_096, start > order.count / 2 {
      order.removeFirst(start)
      start = 0
    }
  }

  private static func size(of texts: Texts) -> Int {
    // Two arrays and a place in a dictionary.
    texts.state.count + texts.outputs.count + 160
  }
}
