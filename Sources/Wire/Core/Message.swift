package import JSONCore
package import Timelines

/// The content of a frame: a JSON object with a `type` and the keys of that type.
///
/// A message is a struct whose properties have defaults, and one list of its keys that serves
/// reading and writing alike:
///
/// ```swift
/// package struct Rename: Message {
///   package static let type = "rename"
///   package var timeline = TimelineID.zero
///   package var name = ""
///
///   package init() {}
///   package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
///     try fields.field("timeline", &timeline)
///     try fields.field("name", &name)
///   }
/// }
/// let rename = Rename { $0.timeline = id; $0.name = "before the crash" }
/// ```
/// A new message is a new struct, a case in the set of its direction, a fixture of the same name and
/// a paragraph in `docs/protocol.md`; the tests hold these together.
package protocol Message: MessagePart {
  /// The value of `type`.
  static var type: String { get }

  /// Whether it is a request, an answer, or a notification.
  static var role: MessageRole { get }
}

package enum MessageRole: Sendable {
  /// A notification, which has no answer.
  case news
  /// A request, which must have an `id`.
  case request
  /// An answer, which must have the request's ID as `re`.
  case reply
}

extension Message {
  /// A notification.
  package static var role: MessageRole { .news }
}

/// An object inside a message, or the message itself: a list of keys.
package protocol MessagePart: MessageValue {
  /// A part with defaults; reading and ``init(_:)`` fill them in.
  init()

  /// Reads or writes every key, in the order in which they are written.
  mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure)
}

/// A value of a key in a message.
package protocol MessageValue: Sendable {
  /// Whether `null` is a value of it, rather than the same as an absent key.
  static var takesNull: Bool { get }

  /// Parses the value. The paths of errors begin here.
  init(reading slice: JSONSlice) throws(MessageError)

  func write(to writer: inout JSONText)
}

/// Visits the keys of a message, to read or write them.
package protocol MessageFields {
  /// The error; writing has none.
  associatedtype Failure: Error

  /// A required key.
  mutating func field<Value: MessageValue>(
    _ key: String, _ value: inout Value) throws(Failure)

  /// An optional key.
  mutating func field<Value: MessageValue>(
    _ key: String, _ value: inout Value?) throws(Failure)

  /// A required key with a list of the user's values.
  mutating func list(_ key: String, _ value: inout [JSONSlice]) throws(Failure)

  /// A key that is `true` or absent.
  mutating func flag(_ key: String, _ value: inout Bool) throws(Failure)
}

extension MessageFields {
  package mutating func list(_ key: String, _ value: inout [JSONSlice]) throws(Failure) {
    try field(key, &value)
  }
}

extension MessagePart {
  /// A part whose properties the closure fills in.
  package init(_ fill: (inout Self) -> Void) {
    self.init()
    fill(&self)
  }

  /// Reads an object by its list of keys; keys that are not in it are ignored.
  package init(reading slice: JSONSlice) throws(MessageError) {
    try self.init(reading: try MessageReader(slice))
  }

  /// Reads an object whose members were noted already.
  init(reading reader: MessageReader) throws(MessageError) {
    self.init()
    var reader = reader
    try fields(&reader)
  }

  /// Writes an object by its list of keys.
  package func write(to writer: inout JSONText) {
    var copy = self
    writer.object { copy.fields(&$0) }
  }
}

extension MessageValue {
  /// `null` is the same as an absent key.
  package static var takesNull: Bool { false }
}
