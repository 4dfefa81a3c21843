public import JSONCore

extension EventSchema {
  /// The maximum number of samples of a case.
  private static let sampleCount = 3

  /// The maximum length of a sample, because the schema is part of every header.
  private static let sampleBytes = 1024

  /// The maximum number of learned cases, because events whose names are data would fill the header.
  private static let learntCount = 256

  /// The maximum nesting to learn.
  private static let learntDepth = 8

  /// Learns from an event.
  ///
  /// The event becomes a sample of its case. If the type does not have the case, the payload is learned
  /// from all events with the name: a key that one of them does not have is optional, and a key with
  /// two kinds becomes unknown. An event without a name is ignored.
  public mutating func learn(from event: JSON) {
    guard let (name, payload) = Self.parts(of: event) else { return }
    let index: Int
    if let known = cases.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      index = known
      if !isComplete, cases[index].swift == nil {
        cases[index].payload = Self.merged(cases[index].payload, payload)
      }
    } else {
      guard cases.count < Self.learntCount else { return }
      index = cases.count
      cases.append(Case(name: name, payload: payload))
    }
    guard cases[index].samples.count < Self.sampleCount, !cases[index].samples.contains(event),
      event.encoded().count <= Self.sampleBytes
    else { return }
    cases[index].samples.append(event)
  }

  /// The name of an event, and the shape of its payload.
  private static func parts(of event: JSON) -> (name: String, payload: [Field])? {
    switch event {
    case .string(let name): return (name, [])
    case .object(let object):
      if let name = object["type"]?.string {
        return (name, fields(of: object, except: "type", depth: 0))
      }
      guard object.count == 1, let only = object.first(where: { _ in true }) else { return nil }
      return (only.key, only.value.object.map { fields(of: $0, depth: 0) } ?? [])
    default: return nil
    }
  }

  private static func fields(
    of object: JSON.Object, except left: String? = nil, depth: Int
  ) -> [Field] {
    object.compactMap { key, value in
      key == left ? nil : Field(key: key, shape: shape(of: value, depth: depth))
    }
  }

  private static func shape(of value: JSON, depth: Int) -> Shape {
    guard depth < learntDepth else { return .unknown }
    switch value {
    case .null: return .optional(.unknown)
    case .bool: return .scalar(.bool, type: nil)
    case .string: return .scalar(.string, type: nil)
    case .number(let number):
      return .scalar(number.int != nil || number.uint != nil ? .int : .double, type: nil)
    case .array(let elements):
      guard let first = elements.first else { return .array(of: .unknown, type: nil) }
      let element = elements.dropFirst().reduce(shape(of: first, depth: depth + 1)) {
        merged($0, shape(of: $1, depth: depth + 1))
      }
      return .array(of: element, type: nil)
    case .object: return .unknown
    }
  }

  private static func merged(_ old: [Field], _ new: [Field]) -> [Field] {
    var result = old.map { field in
      var field = field
      if let other = new.first(where: { $0.key == field.key }) {
        field.shape = merged(field.shape, other.shape)
      } else if !field.shape.isOptional {
        field.shape = .optional(field.shape)
      }
      return field
    }
    for field in new where !old.contains(where: { $0.key == field.key }) {
      result.append(
        field.shape.isOptional ? field : Field(key: field.key, shape: .optional(field.shape)))
    }
    return result
  }

  private static func merged(_ old: Shape, _ new: Shape) -> Shape {
    if old.isOptional || new.isOptional {
      // A null does not have a kind.
      if old.unwrapped == .unknown, old.isOptional { return .optional(new.unwrapped) }
      if new.unwrapped == .unknown, new.isOptional { return .optional(old.unwrapped) }
      return .optional(merged(old.unwrapped, new.unwrapped))
    }
    switch (old, new) {
    case _ where old == new: return old
    case (.scalar(.int, _), .scalar(.double, _)), (.scalar(.double, _), .scalar(.int, _)):
      return .scalar(.double, type: nil)
    case (.array(.unknown, _), .array): return new
    case (.array, .array(.unknown, _)): return old
    case (.array(let old, _), .array(let new, _)):
      return .array(of: merged(old, new), type: nil)
    default: return .unknown
    }
  }
}

extension EventSchema {
  package mutating func changeSamples(_ change: (JSON) -> JSON) {
    for index in cases.indices { cases[index].samples = cases[index].samples.map(change) }
  }
}
