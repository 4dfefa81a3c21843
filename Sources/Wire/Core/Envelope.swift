package import JSONCore
import Timelines

/// A message with the ID of the request that it is or answers.
///
/// ```swift
/// let envelope = try Envelope<FromRecorder>(reading: frame, maxMessage: limits.maxMessage)
/// switch envelope.body {
/// case .append(let append): store(append.entries)
/// ```
package struct Envelope<Body: MessageSet>: Sendable {
  /// The ID of a request, which its reply has as `re`.
  package var id: RequestID?

  /// The ID of the request that this answers.
  package var re: RequestID?

  package var body: Body

  /// A request (with `id`), an answer (with `re`), or a notification.
  package init(_ body: Body, id: RequestID? = nil, re: RequestID? = nil) {
    self.id = id
    self.re = re
    self.body = body
  }

  /// Reads a frame.
  ///
  /// Keys that are not known are ignored. Whatever is wrong is an error that names the key and the
  /// request, and that can be answered.
  package init(reading bytes: [UInt8], maxMessage: Int) throws(MessageError) {
    guard bytes.count <= maxMessage else { throw MessageError(.tooLong(limit: maxMessage)) }
    let outline: JSONOutline
    do {
      outline = try JSONOutline(validating: bytes, elementsOf: "entries")
    } catch {
      throw MessageError(.malformed(error))
    }
    try self.init(reading: outline)
  }

  /// Reads a message from its outline.
  package init(reading outline: JSONOutline) throws(MessageError) {
    try self.init(try MessageReader(outline))
  }

  /// Reads a message from validated text.
  package init(reading slice: JSONSlice) throws(MessageError) {
    try self.init(try MessageReader(slice))
  }

  private init(_ reader: MessageReader) throws(MessageError) {
    var head = reader
    try head.field("id", &id)
    do throws(MessageError) {
      try head.field("re", &re)
      var type = ""
      try head.field("type", &type)
      guard let kind = Body.kinds[type] else {
        throw MessageError(.unknownType(type), path: "type")
      }
      body = try kind.read(head)
      if kind.role == .request, id == nil { throw MessageError(.missing, path: "id") }
      if kind.role == .reply, re == nil { throw MessageError(.missing, path: "re") }
    } catch {
      var error = error
      error.request = id
      throw error
    }
  }

  /// The frame: `type`, then `id` and `re`, then the message's own keys.
  package func encoded() -> [UInt8] {
    var writer = JSONText()
    write(body.message, to: &writer)
    return writer.bytes
  }

  private func write<M: Message>(_ message: M, to writer: inout JSONText) {
    var (message, type, id, re) = (message, M.type, id, re)
    writer.object { writer in
      writer.field("type", &type)
      writer.field("id", &id)
      writer.field("re", &re)
      message.fields(&writer)
    }
  }
}

/// The messages that travel in one direction of one role.
package protocol MessageSet: Sendable {
  /// How its messages are read, by type.
  static var kinds: MessageKinds<Self> { get }

  var message: any Message { get }
}

/// How the messages of a set are read.
package struct MessageKinds<Body: MessageSet>: Sendable {
  private let byType: [String: MessageKind<Body>]

  /// The kinds, each type once.
  package init(_ kinds: [MessageKind<Body>]) {
    byType = Dictionary(uniqueKeysWithValues: kinds.map { ($0.type, $0) })
  }

  package var types: [String] { byType.keys.sorted() }

  subscript(type: String) -> MessageKind<Body>? { byType[type] }
}

/// How one message of a set is read.
package struct MessageKind<Body: MessageSet>: Sendable {
  let type: String
  let role: MessageRole
  let read: @Sendable (MessageReader) throws(MessageError) -> Body

  /// The message that a case of the set holds.
  package init<M: Message>(_ wrap: @escaping @Sendable (M) -> Body) {
    type = M.type
    role = M.role
    read = { (reader) throws(MessageError) in wrap(try M(reading: reader)) }
  }
}
