import JSONCore
import Timelines

/// Recorded events as Swift source.
struct EventSource {
  /// The event type, if the header has it.
  let schema: EventSchema?

  /// The whole event as `.case(label: value)`; `nil` where the schema is not certain.
  ///
  /// Parts of a payload whose initializers are unknown are decoded:
  /// `.added(.init(recorded: ["id": 1]))`.
  func layout(_ event: JSON) -> SwiftLayout? {
    guard let schema else { return nil }
    if schema.type == "Swift.String", let text = event.string {
      return .text(SwiftLiteral.string(text))
    }
    switch schema.encoding {
    case .raw:
      guard let name = event.string, let swift = schema[case: name]?.swift,
        SwiftName.isMember(swift)
      else { return nil }
      return .text("." + SwiftName.member(swift))
    case .keyed: return enumeration(event, schema.cases)
    case .custom: return nil
    }
  }

  /// A case with its payload; `nil` where its source is not certain.
  private func enumeration(_ json: JSON, _ cases: [EventSchema.Case]) -> SwiftLayout? {
    guard let object = json.object, object.count == 1,
      let (name, body) = object.first(where: { _ in true }),
      let found = cases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }),
      let swift = found.swift, SwiftName.isMember(swift), let members = body.object
    else { return nil }
    let known = Set(found.payload.map(\.key))
    // The type would ignore members the schema does not have; a literal cannot express them.
    guard members.allSatisfy({ known.contains($0.key) }) else { return nil }
    let head = "." + SwiftName.member(swift)
    if found.payload.isEmpty { return .text(head) }
    var arguments: [SwiftLayout.Argument] = []
    for field in found.payload {
      if let label = field.label, !SwiftName.isMember(label) { return nil }
      guard let value = value(members[field.key], field.shape) else { return nil }
      arguments.append(.init(field.label.map(SwiftName.label), value))
    }
    return .call(head, arguments)
  }

  /// A part of a payload; `nil` if it is missing and not optional.
  private func value(_ json: JSON?, _ shape: EventSchema.Shape) -> SwiftLayout? {
    if case .optional(let inner) = shape {
      guard let json, !json.isNull else { return .text("nil") }
      guard let value = value(json, inner) else { return nil }
      // The compiler would choose Optional's cases of these names.
      if case .named = inner, let name = value.flat,
        name.hasPrefix(".none") || name.hasPrefix(".some")
      {
        return decoded(json)
      }
      return value
    }
    guard let json else { return nil }
    return certain(json, shape) ?? decoded(json)
  }

  private func decoded(_ json: JSON) -> SwiftLayout {
    .call(".init", [.init("recorded", RecordedLiteral.layout(json))])
  }

  /// A value as a literal or a case; `nil` if it can only be decoded.
  private func certain(_ json: JSON, _ shape: EventSchema.Shape) -> SwiftLayout? {
    switch (shape, json) {
    case (.scalar(.string, "Swift.String"), .string(let text)):
      return .text(SwiftLiteral.string(text))
    case (.scalar(.bool, "Swift.Bool"), .bool(let bool)): return .text(bool ? "true" : "false")
    case (.scalar(.int, let type?), .number(let number)): return integer(number, type)
    case (.scalar(.double, let type?), _): return double(json, type)
    case (.array(let element, let type?), .array(let elements))
    where type.hasPrefix("Swift.Array<") || type.hasPrefix("Swift.Set<"):
      return list(elements, element)
    case (.dictionary(let element, let type?), .object(let object))
    where type.hasPrefix("Swift.Dictionary<Swift.String, "):
      // Canonically equivalent keys with different bytes would trap in a dictionary literal.
      guard Set(object.map(\.key)).count == object.count else { return nil }
      var members: [(key: String, value: SwiftLayout)] = []
      for (key, member) in object {
        guard let value = value(member, element) else { return nil }
        members.append((SwiftLiteral.string(key), value))
      }
      return members.count <= Self.largestCount ? .dictionary(members) : nil
    case (.named(let name), _):
      guard case .cases(let cases)? = schema?.types[name]?.content else { return nil }
      return enumeration(json, cases)
    default: return nil
    }
  }

  /// Longer collections are decoded, because long literals compile slowly.
  private static let largestCount = 32

  private func list(_ elements: [JSON], _ shape: EventSchema.Shape) -> SwiftLayout? {
    guard elements.count <= Self.largestCount else { return nil }
    var parts: [SwiftLayout] = []
    for element in elements {
      guard let part = value(element, shape) else { return nil }
      parts.append(part)
    }
    return .list(parts)
  }

  private func integer(_ number: JSON.Number, _ type: String) -> SwiftLayout? {
    let text = number.text
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }), text != "-0" else {
      return nil
    }
    let fits =
      switch type {
      // As wide as on the platforms the tests may run on.
      case "Swift.Int", "Swift.Int64": Int64(text) != nil
      case "Swift.Int32": Int32(text) != nil
      case "Swift.Int16": Int16(text) != nil
      case "Swift.Int8": Int8(text) != nil
      case "Swift.UInt", "Swift.UInt64": UInt64(text) != nil
      case "Swift.UInt32": UInt32(text) != nil
      case "Swift.UInt16": UInt16(text) != nil
      case "Swift.UInt8": UInt8(text) != nil
      default: false
      }
    return fits ? .text(text) : nil
  }

  private func double(_ json: JSON, _ type: String) -> SwiftLayout? {
    guard type == "Swift.Double" || type == "Swift.Float" else { return nil }
    switch json {
    case .number(let number):
      // A literal out of range does not compile, or becomes another number.
      let fits =
        type == "Swift.Float"
        ? Float(number.text)?.isFinite == true : Double(number.text)?.isFinite == true
      // An integer literal would lose the sign.
      return fits ? .text(number.text == "-0" ? "-0.0" : number.text) : nil
    case .string("nan"): return .text(".nan")
    case .string("inf"): return .text(".infinity")
    case .string("-inf"): return .text("-.infinity")
    default: return nil
    }
  }
}
