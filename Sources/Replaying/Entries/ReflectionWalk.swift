import JSONCore

/// Converts a value to JSON by reflection, within limits.
struct ReflectionWalk {
  private let limits: ReflectionLimits
  private let reveals: Bool
  private var valuesLeft: Int
  private var textLeft: Int
  /// The enclosing objects, outermost first.
  private var objects: [ObjectIdentifier] = []
  /// Types whose encoding has failed, which is not tried again for each value.
  private var failed: Set<ObjectIdentifier> = []

  /// - Parameter reveals: Whether `Redacted` values are shown.
  init(_ limits: ReflectionLimits, revealingRedacted reveals: Bool) {
    self.limits = limits
    self.reveals = reveals
    valuesLeft = limits.values
    textLeft = limits.allTextBytes
  }

  /// The root value by reflection, even if it is Encodable.
  mutating func root(_ value: Any) -> JSON {
    valuesLeft -= 1
    return reflect(value, depth: 0)
  }

  private mutating func part(_ value: Any, depth: Int) -> JSON {
    valuesLeft -= 1
    if let value = value as? any Encodable, let json = encoded(value) { return json }
    return reflect(value, depth: depth)
  }

  /// A part's encoding; `nil` if encoding fails or exceeds the remaining limits.
  private mutating func encoded(_ value: any Encodable) -> JSON? {
    let type = ObjectIdentifier(type(of: value))
    guard textLeft > 0, !failed.contains(type) else { return nil }
    let encoder = CanonicalEncoder(userInfo: reveals ? [.revealsRedacted: true] : [:])
    guard let bytes = try? encoder.encode(AnyEncodable(value: value)),
      let json = try? JSON(parsing: bytes)
    else {
      failed.insert(type)
      return nil
    }
    guard bytes.count <= max(textLeft, 1_024) else { return nil }
    textLeft -= bytes.count
    if case .string(let text) = json, bytes.count > limits.textBytes {
      return cut(text)
    }
    return json
  }

  private mutating func reflect(_ value: Any, depth: Int) -> JSON {
    let mirror = Mirror(reflecting: value)
    guard depth < limits.depth else { return describe(value, mirror) }
    switch mirror.displayStyle {
    case .optional:
      // Nested optionals are flattened, as encoders do.
      return mirror.children.first.map { part($0.value, depth: depth + 1) } ?? .null
    case .collection: return elements(of: mirror, depth)
    case .set: return sorted(mirror, depth)
    case .dictionary: return pairs(of: mirror, depth)
    case .enum: return enumCase(value, mirror, depth)
    case .struct, .tuple: return structure(value, mirror, depth)
    case .class: return object(value, mirror, depth)
    default:
      if let redacted = value as? any HidingValue { return hidden(redacted, depth) }
      return describe(value, mirror)
    }
  }

  /// The value of a `Redacted` that is not Encodable, or a mark that recordings replace.
  private mutating func hidden(_ redacted: any HidingValue, _ depth: Int) -> JSON {
    if reveals { return part(redacted.hidden, depth: depth + 1) }
    RedactionMarks.countRedacted()
    let shown = "\(redacted)"
    let mark = try? RedactionMarks.current?.mark(
      Reflected<Any>(redacted.hidden), standIn: Reflected<Any>(shown))
    return .string(mark ?? shown)
  }

  private mutating func object(_ value: Any, _ mirror: Mirror, _ depth: Int) -> JSON {
    let identity = ObjectIdentifier(value as AnyObject)
    guard !objects.contains(identity) else {
      var note = JSON.Object()
      note["$cycle"] = .string("\(mirror.subjectType)")
      return .object(note)
    }
    objects.append(identity)
    defer { objects.removeLast() }
    return structure(value, mirror, depth)
  }

  private mutating func structure(_ value: Any, _ mirror: Mirror, _ depth: Int) -> JSON {
    guard !mirror.children.isEmpty || mirror.superclassMirror != nil else {
      return describe(value, mirror)
    }
    var members = JSON.Object()
    var next: Mirror? = mirror
    while let mirror = next {
      for (index, child) in mirror.children.enumerated() where !Self.isNil(child.value) {
        guard valuesLeft > 0 else {
          members["…"] = .string("more")
          return .object(members)
        }
        let name = Self.name(child.label, index)
        members[Self.unusedName(name, in: members)] = part(child.value, depth: depth + 1)
      }
      next = mirror.superclassMirror
    }
    return .object(members)
  }

  /// The name of a property in source.
  private static func name(_ label: String?, _ index: Int) -> String {
    guard let label else { return "\(index)" }
    // The labels of a tuple's parts are .0 and .1.
    if label.hasPrefix(".") { return String(label.dropFirst()) }
    let lazy = "$__lazy_storage_$_"
    return label.hasPrefix(lazy) ? String(label.dropFirst(lazy.count)) : label
  }

  /// An unused name: a class and its superclass may have private properties with the same name.
  private static func unusedName(_ name: String, in members: JSON.Object) -> String {
    guard members[name] != nil else { return name }
    var number = 2
    while members["\(name) (\(number))"] != nil { number += 1 }
    return "\(name) (\(number))"
  }

  private mutating func elements(of mirror: Mirror, _ depth: Int) -> JSON {
    var list: [JSON] = []
    for (index, child) in mirror.children.enumerated() {
      guard valuesLeft > 0 else {
        list.append(.string("… \(mirror.children.count - index) more"))
        break
      }
      list.append(part(child.value, depth: depth + 1))
    }
    return .array(list)
  }

  /// Elements sorted by their text, so that the order is the same in every process.
  private mutating func sorted(_ mirror: Mirror, _ depth: Int) -> JSON {
    guard case .array(var list) = elements(of: mirror, depth) else { return [] }
    // A truncated set shows different elements in each process; its last element says so.
    let note = valuesLeft > 0 ? nil : list.popLast()
    let texts = list.map { (text: $0.encoded(), value: $0) }
    list = texts.sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.value)
    if let note { list.append(note) }
    return .array(list)
  }

  private mutating func pairs(of mirror: Mirror, _ depth: Int) -> JSON {
    var pairs: [(key: String, value: JSON, text: [UInt8])] = []
    var rest = 0
    for (index, child) in mirror.children.enumerated() {
      guard valuesLeft > 0 else {
        rest = mirror.children.count - index
        break
      }
      let parts = Mirror(reflecting: child.value).children.map(\.value)
      guard parts.count == 2 else { continue }
      let value = part(parts[1], depth: depth + 1)
      pairs.append((key(parts[0], depth: depth + 1), value, value.encoded()))
    }
    pairs.sort { left, right in
      let (one, other) = (Array(left.key.utf8), Array(right.key.utf8))
      if one == other { return left.text.lexicographicallyPrecedes(right.text) }
      return one.lexicographicallyPrecedes(other)
    }
    var members = JSON.Object()
    for pair in pairs { members[Self.unusedName(pair.key, in: members)] = pair.value }
    if rest > 0 { members[Self.unusedName("…", in: members)] = .string("\(rest) more") }
    return .object(members)
  }

  private mutating func key(_ value: Any, depth: Int) -> String {
    switch part(value, depth: depth) {
    case .string(let text): text
    case .object(let members) where members.count == 1 && members.first { _ in true }?.value == [:]:
      // A case without a payload.
      members.keys.first ?? ""
    case let json: "\(json)"
    }
  }

  /// An enum case in the form of synthesized Codable.
  private mutating func enumCase(_ value: Any, _ mirror: Mirror, _ depth: Int) -> JSON {
    var object = JSON.Object()
    guard let payload = mirror.children.first, let name = payload.label else {
      object[cut("\(value)")] = .object(JSON.Object())
      return .object(object)
    }
    var parts = JSON.Object()
    let inner = Mirror(reflecting: payload.value)
    if inner.displayStyle == .tuple {
      for (index, child) in inner.children.enumerated() {
        let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? "_\(index)"
        parts[label] = part(child.value, depth: depth + 1)
      }
    } else {
      parts["_0"] = part(payload.value, depth: depth + 1)
    }
    object[name] = .object(parts)
    return .object(object)
  }

  private mutating func describe(_ value: Any, _ mirror: Mirror) -> JSON {
    // Not the debug description, which may have an address that differs in each process.
    .string(
      cut(value is any CustomStringConvertible ? "\(value)" : "\(mirror.subjectType)"))
  }

  private mutating func cut(_ text: String) -> JSON { .string(cut(text) as String) }

  /// The text, or its beginning and its length.
  private mutating func cut(_ text: String) -> String {
    let limit = max(16, min(limits.textBytes, textLeft))
    let count = text.utf8.count
    guard count > limit else {
      textLeft -= count
      return text
    }
    textLeft -= limit
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return "\(text[..<end])… \(count) bytes"
  }

  private static func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }
}

/// Encodes a part with its own implementation.
private struct AnyEncodable: Encodable {
  let value: any Encodable
  func encode(to encoder: any Encoder) throws { try value.encodeWhole(to: encoder) }
}
