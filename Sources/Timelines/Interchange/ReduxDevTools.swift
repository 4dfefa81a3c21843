import JSONCore

/// Recordings in the files of Redux DevTools, in and out.
///
/// Three shapes are read: `{"payload":"[…]","preloadedState":"{…}"}` as the browser extension
/// writes it, a lifted state as other stores write it, and a bare array of actions. A lifted state is
/// written.
///
/// ```swift
/// let file = Array(#"[{"type":"added","payload":{"id":1}},{"type":"cleared"}]"#.utf8)
/// let timeline = try ReduxDevTools.read(
///   file, named: "todo", id: .random(), now: Timestamp(microseconds: 0))
/// assert(timeline.entries.map(\.eventName) == [nil, "added", "cleared"])
/// ```
///
/// An action is kept as it is: an event whose name is its `type`. Where a file has no states, its
/// entries are thinned.
public enum ReduxDevTools {
  /// Under this key a lifted state that was written here keeps what the format has no place for: the
  /// header. Redux DevTools passes over it.
  static let headerKey = "timeline"

  /// What a state that is not there has as its error.
  static let notCaptured = "This state was not captured."

  /// The type of machines that came from elsewhere.
  static let reduxType = "Redux"

  /// Reads a file of any of the three shapes.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: What the machine is called where the file does not tell.
  ///   - id: The timeline's id; a file that was exported from a timeline is another one here.
  ///   - now: When it started, where the file does not tell.
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

/// Why a file of another tool can not be read, or a timeline can not become one.
public struct InterchangeError: Error, Hashable, Sendable {
  /// What is wrong.
  public var reason: Reason
  /// Where in the file; empty for the whole.
  public var path: String

  init(_ reason: Reason, at path: String) {
    self.reason = reason
    self.path = path
  }

  /// What can be wrong.
  public enum Reason: Hashable, Sendable {
    /// It is no JSON.
    case notJSON(String)
    /// Something else stands there.
    case expected(String)
    /// There is nothing to write.
    case empty
    /// The file would be larger than that many bytes, because it has the whole state at every step.
    case tooLarge(Int)
    /// The entries do not make a timeline.
    case timeline(String)
  }
}

extension InterchangeError: CustomStringConvertible {
  /// What is wrong, where, and what to do about it.
  public var description: String {
    let place = path.isEmpty ? "" : "\(path): "
    return place + sentence
  }

  private var sentence: String {
    switch reason {
    case .notJSON(let why): "This is no JSON: \(why)"
    case .expected(let what): "Here \(what) should stand."
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
