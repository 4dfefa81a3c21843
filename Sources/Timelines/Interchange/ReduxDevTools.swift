import JSONCore

/// Imports and exports files of Redux DevTools.
///
/// Reads three shapes: `{"payload":"[…]","preloadedState":"{…}"}` from the browser extension, a
/// lifted state from other stores, and a bare array of actions. Writes a lifted state.
///
/// ```swift
/// let file = Array(#"[{"type":"added","payload":{"id":1}},{"type":"cleared"}]"#.utf8)
/// let timeline = try ReduxDevTools.read(
///   file, named: "todo", id: .random(), now: Timestamp(microseconds: 0))
/// assert(timeline.entries.map(\.eventName) == [nil, "added", "cleared"])
/// ```
///
/// An action becomes an event without changes, with its `type` as the name. If a file has no states,
/// its entries are thinned.
public enum ReduxDevTools {
  /// The key of the header in an exported lifted state. Redux DevTools ignores it.
  static let headerKey = "timeline"

  /// The error of a missing state.
  static let notCaptured = "This state was not captured."

  static let reduxType = "Redux"

  /// Reads a file of any of the three shapes.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The machine's name, if the file does not have one.
  ///   - id: The timeline's ID. A file that was exported from a timeline becomes a new one.
  ///   - now: The start time, if the file does not have one.
  public static func read(
    _ bytes: [UInt8], named name: String, id: TimelineID, now: Timestamp
  ) throws(InterchangeError) -> Timeline {
    let json = try parse(bytes, "")
    var reading = ReduxReading(name: name, id: id, now: now)
    switch json {
    case .array(let actions): return try reading.timeline(of: actions, from: nil)
    case .object(let object):
      if object["actionsById"] != nil { return try reading.timeline(ofLifted: json) }
      guard let payload = object["payload"]?.string else { break }
      var preloaded: JSON?
      if let text = object["preloadedState"]?.string {
        preloaded = try parse(Array(text.utf8), "preloadedState")
      }
      let inner = try parse(Array(payload.utf8), "payload")
      if let actions = inner.array { return try reading.timeline(of: actions, from: preloaded) }
      if inner["actionsById"] != nil {
        return try reading.timeline(ofLifted: inner, from: preloaded)
      }
      throw InterchangeError(.expected("an array of actions or a lifted state"), at: "payload")
    default: break
    }
    throw InterchangeError(
      .expected(
        "actions as Redux DevTools exports them: an array, or an object with 'actionsById'"),
      at: "")
  }

  private static func parse(_ bytes: [UInt8], _ path: String) throws(InterchangeError) -> JSON {
    do {
      return try JSON(parsing: bytes)
    } catch {
      throw InterchangeError(.notJSON("\(error)"), at: path)
    }
  }
}

/// Why a file of another tool cannot be imported, or a timeline cannot be exported.
public struct InterchangeError: Error, Hashable, Sendable {
  /// The reason.
  public var reason: Reason
  /// The place in the file; empty for the whole file.
  public var path: String

  init(_ reason: Reason, at path: String) {
    self.reason = reason
    self.path = path
  }

  /// The reason of an error.
  public enum Reason: Hashable, Sendable {
    /// The file is not JSON.
    case notJSON(String)
    /// The value has the wrong type.
    case expected(String)
    /// The timeline is empty.
    case empty
    /// The file would be larger than that many bytes, because it has the whole state at every step.
    case tooLarge(Int)
    /// The entries do not make a timeline.
    case timeline(String)
  }
}

extension InterchangeError: CustomStringConvertible {
  /// What happened, where, and what to do.
  public var description: String {
    let place = path.isEmpty ? "" : "\(path): "
    return place + sentence
  }

  private var sentence: String {
    switch reason {
    case .notJSON(let why): "This is not JSON: \(why)"
    case .expected(let what): "Expected \(what)."
    case .empty: "The timeline has no entries."
    case .tooLarge(let bytes):
      """
      The file would have more than \(bytes) bytes, because it holds the whole state at every step. \
      To fix, export fewer entries.
      """
    case .timeline(let why): why
    }
  }
}
