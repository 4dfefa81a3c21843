package import JSONCore
import Predicates
package import Timelines

extension String: MessageValue {
  package init(reading slice: JSONSlice) throws(MessageError) {
    guard let string = slice.string else { throw .wrongType("a string", slice) }
    self = string
  }

  package func write(to writer: inout JSONText) { writer.string(self) }
}

extension Bool: MessageValue {
  package init(reading slice: JSONSlice) throws(MessageError) {
    guard let bool = slice.bool else { throw .wrongType("true or false", slice) }
    self = bool
  }

  package func write(to writer: inout JSONText) { writer.raw((self ? "true" : "false").utf8) }
}

/// Every number of the protocol itself counts something: a whole number from 0 to 2^53 - 1, which
/// every reader of JSON keeps exact.
extension Int64: MessageValue {
  /// 2^53 - 1.
  package static let largestCount: Int64 = 9_007_199_254_740_991

  package init(reading slice: JSONSlice) throws(MessageError) {
    guard slice.kind == .number else { throw .wrongType("a whole number", slice) }
    guard let number = slice.int, (0...Self.largestCount).contains(number) else {
      throw MessageError(.wrongValue("it is a whole number from 0 to 2^53 - 1"))
    }
    self = number
  }

  package func write(to writer: inout JSONText) { writer.integer(self) }
}

/// A value of the user's, passed on byte by byte, but for line breaks: a message is one line.
extension JSONSlice: MessageValue {
  package static var takesNull: Bool { true }

  package init(reading slice: JSONSlice) throws(MessageError) { self = slice }

  package func write(to writer: inout JSONText) { writer.raw(onOneLine.bytes) }
}

extension JSONSlice {
  /// `null`, what a key of the user's holds before it is filled in.
  package static let null: JSONSlice = {
    do {
      return try JSONSlice(validating: Array("null".utf8))
    } catch {
      preconditionFailure("null is JSON")
    }
  }()
}

extension Array: MessageValue where Element: MessageValue {
  package init(reading slice: JSONSlice) throws(MessageError) {
    guard slice.kind == .array else { throw .wrongType("an array", slice) }
    self = []
    for element in slice.elements {
      do { append(try Element(reading: element)) } catch { throw error.inside("[\(count)]") }
    }
  }

  package func write(to writer: inout JSONText) {
    writer.array(self) { $1.write(to: &$0) }
  }
}

/// One of a few words.
package protocol MessageWord: RawRepresentable, CaseIterable, MessageValue, Hashable
where RawValue == String {}

extension MessageWord {
  package init(reading slice: JSONSlice) throws(MessageError) {
    let text = try String(reading: slice)
    guard let word = Self(rawValue: text) else {
      let words = Self.allCases.map(\.rawValue)
      let near = Spelling.nearest(to: text, among: words).map { "did you mean \($0)?" }
      throw MessageError(.wrongValue(near ?? "it is one of " + words.joined(separator: ", ")))
    }
    self = word
  }

  package func write(to writer: inout JSONText) { writer.string(rawValue) }
}
