internal import JSONCore
internal import Timelines

/// Events of the cases that a schema lists, for those that no recording has.
struct SchemaEvents {
  let schema: EventSchema

  /// The maximum nesting: types can contain themselves.
  private static let depth = 8
  /// The maximum number of values of an event: a few types that each have some of the next one have
  /// millions.
  private static let valueLimit = 1_000

  /// An event of a case: a recorded sample, or one with the simplest payload; `nil` if only the type's
  /// own code knows how it is encoded.
  func event(of one: EventSchema.Case) -> JSON? {
    if let sample = one.samples.first { return sample }
    switch schema.encoding {
    case .raw: return .string(one.name)
    case .keyed:
      var rest = Self.valueLimit
      guard let payload = object(one.payload, 0, &rest) else { return nil }
      var event = JSON.Object()
      event[one.name] = payload
      return .object(event)
    case .custom: return nil
    }
  }

  private func object(_ fields: [EventSchema.Field], _ depth: Int, _ rest: inout Int) -> JSON? {
    var members = JSON.Object()
    for field in fields {
      if case .optional = field.shape { continue }
      guard let value = value(field.shape, depth + 1, &rest) else { return nil }
      members[field.key] = value
    }
    return .object(members)
  }

  private func value(_ shape: EventSchema.Shape, _ depth: Int, _ rest: inout Int) -> JSON? {
    guard depth < Self.depth, rest > 0 else { return nil }
    rest -= 1
    switch shape {
    case .scalar(let kind, _): return Self.scalar(kind)
    case .array: return []
    case .dictionary: return .object(JSON.Object())
    case .optional: return .null
    case .named(let name):
      switch schema.types[name]?.content {
      case .fields(let fields): return object(fields, depth, &rest)
      case .values(let values): return values.first
      case .cases(let cases):
        guard let first = cases.first, let payload = object(first.payload, depth, &rest) else {
          return nil
        }
        var members = JSON.Object()
        members[first.name] = payload
        return .object(members)
      case nil: return nil
      }
    }
  }

  private static func scalar(_ kind: EventSchema.Shape.Kind) -> JSON? {
    switch kind {
    case .string: "text"
    case .int, .double: 1
    case .bool: true
    case .date: 0
    case .data: ""
    case .url: "https://example.com"
    case .uuid: "00000000-0000-0000-0000-000000000000"
    case .any: nil
    }
  }
}
