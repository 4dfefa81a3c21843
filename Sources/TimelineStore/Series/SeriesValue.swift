package import JSONCore

/// A value, reduced to what a drawing shows.
package enum SeriesValue: Hashable, Sendable {
  case absent
  /// It was not captured, or was lost.
  case unknown
  /// A number, a Boolean, `null`, or a short string.
  case scalar(JSON)
  /// A string of so many bytes, which is too long to show.
  case longString(bytes: Int, hash: Int)
  /// An array of so many elements.
  case array(count: Int)
  /// An object. With one member it may be the case of an enum, whose name is the member's key.
  case object(case: String?)

  /// The maximum bytes of a string, or of a case name, that is returned whole: more than a label
  /// shows.
  package static let textLimit = 128

  /// What a drawing shows of a value.
  package init(_ value: JSON?) {
    switch value {
    case nil: self = .absent
    case .string(let text) where text.utf8.count > Self.textLimit:
      self = .longString(bytes: text.utf8.count, hash: text.hashValue)
    case .array(let array): self = .array(count: array.count)
    case .object(let object):
      let key = object.count == 1 ? object.keys.first : nil
      self = .object(case: key.flatMap { $0.utf8.count > Self.textLimit ? nil : $0 })
    case .some(let scalar): self = .scalar(scalar)
    }
  }

  package var number: JSON.Number? {
    if case .scalar(.number(let number)) = self { number } else { nil }
  }

  /// The representation in an answer: a scalar as itself, anything else as an object.
  package var json: JSON {
    switch self {
    case .scalar(let value): value
    case .absent: ["is": "absent"]
    case .unknown: ["is": "unknown"]
    case .longString(let bytes, _): ["is": "string", "bytes": .number(JSON.Number(Int64(bytes)))]
    case .array(let count): ["is": "array", "count": .number(JSON.Number(Int64(count)))]
    case .object(let name): name.map { ["is": "object", "case": .string($0)] } ?? ["is": "object"]
    }
  }
}
