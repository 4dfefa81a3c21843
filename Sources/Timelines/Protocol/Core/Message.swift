package import JSONCore

/// What one frame says: a JSON object with a `type` and the keys of that type.
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
  /// The word after `type`.
  static var type: String { get }

  /// Whether it asks, answers or tells.
  static var role: MessageRole { get }
}

/// What a message is to the other end.
package enum MessageRole: Sendable {
  /// It tells something; nobody answers.
  case news
  /// It asks, and must carry an `id`.
  case request
  /// It answers, and must carry the `re` of what it answers.
  case reply
}

extension Message {
  /// It tells something.
  package static var role: MessageRole { .news }
}

/// An object inside a message, or the message itself: a list of keys.
package protocol MessagePart: MessageValue {
  /// A part with defaults; reading and ``init(_:)`` fill them in.
  init()

  /// Reads or writes every key, in the order in which they are written.
  mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure)
}

/// Something that stands behind a key of a message.
package protocol MessageValue: Sendable {
  /// Whether `null` is a value of it, rather than the same as an absent key.
  static var takesNull: Bool { get }

  /// Takes the value from its text; the error's path begins here.
  init(reading slice: JSONSlice) throws(MessageError)

  /// Writes the value.
  func write(to writer: inout JSONText)
}

/// Goes through the keys of a message, to read or to write them.
package protocol MessageFields {
  /// What can go wrong: nothing in writing.
  associatedtype Failure: Error

  /// A key that must be there.
  mutating func field<Value: MessageValue>(
    _ key: String, _ value: inout Value) throws(Failure)

  /// A key that may be absent.
  mutating func field<Value: MessageValue>(
    _ key: String, _ value: inout Value?) throws(Failure)

  /// A key that must be there, with as many of the user's values as there are.
  mutating func list(_ key: String, _ value: inout [JSONSlice]) throws(Failure)

  /// A key that is only there to be `true`.
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
