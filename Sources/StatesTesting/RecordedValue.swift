internal import JSONCore
internal import Replaying

/// A recorded value as a literal: a state, an output, or a payload.
///
/// ```swift
/// let state: RecordedValue = ["items": ["bus-7"], "total": 12.5, "note": nil]
/// let same: RecordedValue = .json(#"{"items":["bus-7"],"total":12.5,"note":null}"#)
/// assert(state == same)
/// ```
public struct RecordedValue: Sendable {
  private indirect enum Form: Sendable {
    case known(JSON)
    case text(String)
    case list([RecordedValue])
    case object([(String, RecordedValue)])
  }

  private let form: Form

  private init(_ form: Form) { self.form = form }

  init(_ json: JSON) { form = .known(json) }

  /// The value of a JSON text. Invalid text fails where the value is used.
  public static func json(_ text: String) -> RecordedValue { RecordedValue(.text(text)) }

  func value() throws -> JSON {
    switch form {
    case .known(let json): return json
    case .text(let text): return try JSON(parsing: text)
    case .list(let elements): return .array(try elements.map { try $0.value() })
    case .object(let members):
      var object = JSON.Object()
      for (key, member) in members { object[key] = try member.value() }
      return .object(object)
    }
  }

  func slice() throws -> JSONSlice { try JSONSlice(validating: value().encoded()) }
}

extension RecordedValue: Equatable {
  /// Whether both are the same value. Invalid JSON is not equal to anything.
  public static func == (left: RecordedValue, right: RecordedValue) -> Bool {
    guard let left = try? left.value(), let right = try? right.value() else { return false }
    return left == right
  }
}

extension RecordedValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`; in a list of changed members, a missing one.
  public init(nilLiteral: ()) { form = .known(.null) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { form = .known(.bool(value)) }
  /// An integer.
  public init(integerLiteral value: Int64) { form = .known(.number(JSON.Number(value))) }
  /// A number; `null` if it is not finite.
  public init(floatLiteral value: Double) {
    form = .known(JSON.Number(value).map(JSON.number) ?? .null)
  }
  /// A string.
  public init(stringLiteral value: String) { form = .known(.string(value)) }
  /// An array.
  public init(arrayLiteral elements: RecordedValue...) { form = .list(elements) }
  /// An object. If two members have the same key, the second counts.
  public init(dictionaryLiteral elements: (String, RecordedValue)...) { form = .object(elements) }
}

extension Decodable {
  /// Decodes a recorded value, for types whose initializers are not known to an export.
  ///
  /// ```swift
  /// struct Stop: Codable { var name: String }
  /// let stop = try Stop(recorded: ["name": "Alexanderplatz"])
  /// ```
  public init(recorded value: RecordedValue) throws {
    self = try CanonicalDecoder().decode(Self.self, from: value.value())
  }
}
