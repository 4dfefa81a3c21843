import JSONCore

/// Finds out how a type is encoded, from its metadata and its first decoding requests.
struct SchemaBuilder {
  /// The definitions so far, including types in progress.
  private(set) var types: [String: EventSchema.Definition] = [:]

  /// The names of types. Private types with equal names in different files get different names.
  private var names: [ObjectIdentifier: String] = [:]

  /// The maximum number of types, because generic types may refer to infinitely many.
  private static let largestCount = 256

  /// The maximum nesting of optionals and arrays.
  private static let largestDepth = 32

  /// The schema of an event's type.
  struct Event {
    var encoding: EventSchema.Encoding
    var cases: [EventSchema.Case]
  }

  /// The cases of an event's type; `nil` if it is not an enum, or if they are not available.
  mutating func event(_ type: Any.Type) -> Event? {
    guard let members = TypeMetadata.cases(of: type), !(type is any SchemaContainer.Type) else {
      return nil
    }
    guard let decodable = type as? any Decodable.Type else {
      let cases = members.map { `case`($0, name: $0.name, keys: nil) }
      return Event(encoding: .keyed, cases: cases)
    }
    if let values = rawValues(type) {
      let cases = zip(members, values).compactMap { member, value in
        value.string.map { EventSchema.Case(name: $0, swift: member.name) }
      }
      return Event(encoding: .raw, cases: cases.count == members.count ? cases : [])
    }
    if members.isEmpty { return Event(encoding: .keyed, cases: []) }
    guard let cases = keyedCases(decodable, members) else {
      return Event(encoding: .custom, cases: [])
    }
    return Event(encoding: .keyed, cases: cases)
  }

  /// The shape of the type's encoding.
  mutating func shape(_ type: Any.Type, depth: Int = 0) -> EventSchema.Shape {
    guard depth < Self.largestDepth else { return .unknown }
    if let kind = SchemaTypes.kind(of: type) {
      return .scalar(kind, type: SchemaTypes.name(of: type))
    }
    if let container = type as? any SchemaContainer.Type {
      let element = shape(container.schemaElement, depth: depth + 1)
      return container.schemaShape(element, SchemaTypes.name(of: type))
    }
    if let name = names[ObjectIdentifier(type)] { return .named(name) }
    guard types.count < Self.largestCount, let decodable = type as? any Decodable.Type else {
      return .scalar(.any, type: SchemaTypes.name(of: type))
    }
    if TypeMetadata.cases(of: type) != nil { return enumeration(decodable) }
    switch SchemaProbe.finding(decodable) {
    case .keyed(let keyed): return structure(decodable, keyed)
    case .single(let inner) where inner != type:
      // Encoded as another value, like property wrappers and raw values.
      return shape(inner, depth: depth + 1)
    case .unkeyed: return .array(of: .unknown, type: SchemaTypes.name(of: type))
    default: return .scalar(.any, type: SchemaTypes.name(of: type))
    }
  }

  private mutating func enumeration(_ type: any Decodable.Type) -> EventSchema.Shape {
    let name = claim(type)
    if let values = rawValues(type) {
      types[name] = EventSchema.Definition(.values(values))
    } else if let found = event(type), found.encoding == .keyed {
      types[name] = EventSchema.Definition(.cases(found.cases))
    } else {
      types[name] = nil
      names[ObjectIdentifier(type)] = nil
      return .scalar(.any, type: name)
    }
    return .named(name)
  }

  private mutating func structure(
    _ type: any Decodable.Type, _ keyed: SchemaProbe.Keyed
  ) -> EventSchema.Shape {
    guard let keys = keyed.keys else { return .scalar(.any, type: SchemaTypes.name(of: type)) }
    let name = claim(type)
    let properties = TypeMetadata.properties(of: type) ?? []
    var isGuess = properties.isEmpty && !keys.isEmpty
    let fields = keys.enumerated().map { index, entry in
      // A property wrapper's storage has an underscore before the name.
      let property =
        properties.first { $0.name == entry.name }
        ?? properties.first { $0.name == "_" + entry.name }
      guard let found = property?.type else {
        isGuess = true
        return EventSchema.Field(key: entry.key, shape: .unknown)
      }
      return EventSchema.Field(key: entry.key, label: entry.name, shape: shape(found))
    }
    // Synthesized code decodes the first property first, with its own type; other code may not.
    if let first = keyed.first {
      let expected = properties.first { property in
        keys.contains {
          $0.key == first.key && ($0.name == property.name || "_" + $0.name == property.name)
        }
      }
      let isSame = expected?.type.map { Self.unwrapped($0) == Self.unwrapped(first.type) } ?? false
      if !isSame { isGuess = true }
    } else if keyed.hasNested {
      isGuess = true
    }
    types[name] = EventSchema.Definition(.fields(fields), isGuess: isGuess)
    return .named(name)
  }

  private static func unwrapped(_ type: Any.Type) -> ObjectIdentifier {
    guard let optional = type as? any OptionalType.Type else { return ObjectIdentifier(type) }
    return unwrapped(optional.wrapped)
  }

  /// Names the type, and adds an empty definition that stops recursion.
  private mutating func claim(_ type: Any.Type) -> String {
    let name = SchemaTypes.name(of: type)
    var unique = name
    var number = 2
    while types[unique] != nil {
      unique = "\(name) (\(number))"
      number += 1
    }
    names[ObjectIdentifier(type)] = unique
    types[unique] = EventSchema.Definition(.fields([]))
    return unique
  }
}

extension SchemaBuilder {
  /// The cases of an enum with synthesized Codable; `nil` for other code.
  private mutating func keyedCases(
    _ type: any Decodable.Type, _ members: [TypeMetadata.Member]
  ) -> [EventSchema.Case]? {
    guard case .keyed(let keyed) = SchemaProbe.finding(type), keyed.first == nil,
      let keys = keyed.keys
    else { return nil }
    var cases: [EventSchema.Case] = []
    for entry in keys {
      // Overloaded cases share a name, and Codable cannot tell them apart either.
      guard let member = members.first(where: { $0.name == entry.name }),
        case .keyed(let found) = SchemaProbe.finding(type, only: entry.key), found.hasNested
      else { return nil }
      cases.append(`case`(member, name: entry.key, keys: found.nested))
    }
    return cases
  }

  /// A case with its payload's keys, or with Codable's default names.
  private mutating func `case`(
    _ member: TypeMetadata.Member, name: String, keys: [(name: String, key: String)]?
  ) -> EventSchema.Case {
    var parts: [TypeMetadata.Component] = []
    if let type = member.type {
      parts = TypeMetadata.parts(of: type) ?? [TypeMetadata.Component(label: nil, type: type)]
    }
    var fields: [EventSchema.Field] = []
    for (index, part) in parts.enumerated() {
      let source = part.label ?? "_\(index)"
      var key = source
      if let keys {
        guard let entry = keys.first(where: { $0.name == source }) else { continue }
        key = entry.key
      }
      fields.append(EventSchema.Field(key: key, label: part.label, shape: shape(part.type)))
    }
    let isCertain = !member.hasType || (member.type != nil && fields.count == parts.count)
    if member.hasType, member.type == nil {
      fields = (keys ?? []).map { EventSchema.Field(key: $0.key, shape: .unknown) }
    }
    return EventSchema.Case(name: name, swift: isCertain ? member.name : nil, payload: fields)
  }

  /// The values of an enum with raw values, in the order of the source.
  private func rawValues(_ type: Any.Type) -> [JSON]? {
    func values<T: RawRepresentable>(_ type: T.Type) -> [JSON]? {
      guard let members = TypeMetadata.cases(of: type), !members.isEmpty,
        members.allSatisfy({ !$0.hasType }),
        let values = EnumValues.all(type, count: members.count)
      else { return nil }
      let raw = values.compactMap { value -> JSON? in
        switch value.rawValue {
        case let string as String: .string(string)
        case let integer as any BinaryInteger:
          JSON.Number(text: String(describing: integer)).map(JSON.number)
        default: nil
        }
      }
      return raw.count == values.count ? raw : nil
    }
    guard let decodable = type as? any Decodable.Type,
      let representable = type as? any RawRepresentable.Type,
      case .single = SchemaProbe.finding(decodable)
    else { return nil }
    return values(representable)
  }
}

private protocol OptionalType {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
