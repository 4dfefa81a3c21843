import JSONCore

/// A value that is not Codable, written as what reflection shows of it.
///
/// It can be looked at, searched and compared; nobody can make the value of it again.
///
/// ```swift
/// struct Point { var x = 1; var y = 2 }
/// let bytes = try CanonicalEncoder().encode(Reflected(Point()))
/// assert(String(decoding: bytes, as: UTF8.self) == #"{"x":1,"y":2}"#)
/// ```
///
/// Parts that are Encodable are written as they encode themselves. Objects that hold one another are
/// followed to a bounded depth.
public struct Reflected<Value>: Encodable {
  /// The value.
  public let value: Value
  private let depth: Int

  /// How deep parts of parts are followed: deeper than any state one looks at, and shallow enough
  /// that two objects that hold each other end soon.
  private static var depthLimit: Int { 24 }

  /// Wraps a value.
  public init(_ value: Value) {
    self.init(value, depth: 0)
  }

  private init(_ value: Value, depth: Int) {
    self.value = value
    self.depth = depth
  }

  /// Encodes what reflection shows.
  public func encode(to encoder: any Encoder) throws {
    if depth > 0, let value = value as? any Encodable { return try value.encodeWhole(to: encoder) }
    let mirror = Mirror(reflecting: value)
    let children = mirror.children
    guard depth < Self.depthLimit else { return try describe(to: encoder) }
    switch mirror.displayStyle {
    case .optional:
      if let wrapped = children.first {
        try part(wrapped.value).encode(to: encoder)
      } else {
        var container = encoder.singleValueContainer()
        try container.encodeNil()
      }
    case .collection:
      var list = encoder.unkeyedContainer()
      for child in children { try list.encode(part(child.value)) }
    case .set:
      try encodeElements(children, to: encoder)
    case .dictionary:
      try encodePairs(children, to: encoder)
    case .enum:
      try encodeCase(children.first, to: encoder)
    case .struct, .class, .tuple:
      guard !children.isEmpty || mirror.superclassMirror != nil else {
        return try describe(to: encoder)
      }
      try encodeMembers(of: mirror, to: encoder)
    default:
      try describe(to: encoder)
    }
  }

  private func encodeMembers(of mirror: Mirror, to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Name.self)
    var next: Mirror? = mirror
    while let mirror = next {
      for (index, child) in mirror.children.enumerated() where !Self.isNil(child.value) {
        let name = child.label ?? "\(index)"
        // Tuples call their parts .0 and .1.
        let key = name.hasPrefix(".") ? String(name.dropFirst()) : name
        try object.encode(part(child.value), forKey: Name(key))
      }
      next = mirror.superclassMirror
    }
  }

  /// As synthesised Codable writes a case.
  private func encodeCase(_ payload: Mirror.Child?, to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Name.self)
    guard let payload, let name = payload.label else {
      _ = object.nestedContainer(keyedBy: Name.self, forKey: Name("\(value)"))
      return
    }
    var parts = object.nestedContainer(keyedBy: Name.self, forKey: Name(name))
    let mirror = Mirror(reflecting: payload.value)
    guard mirror.displayStyle == .tuple else {
      return try parts.encode(part(payload.value), forKey: Name("_0"))
    }
    for (index, child) in mirror.children.enumerated() {
      let label = child.label.flatMap { $0.hasPrefix(".") ? nil : $0 } ?? "_\(index)"
      try parts.encode(part(child.value), forKey: Name(label))
    }
  }

  /// Sorted by their text, so that it is the same in every process.
  private func encodeElements(_ children: Mirror.Children, to encoder: any Encoder) throws {
    var elements: [(text: [UInt8], value: Reflected<Any>)] = []
    for child in children {
      elements.append((try CanonicalEncoder().encode(part(child.value)), part(child.value)))
    }
    elements.sort { $0.text.lexicographicallyPrecedes($1.text) }
    var list = encoder.unkeyedContainer()
    for element in elements { try list.encode(element.value) }
  }

  private func encodePairs(_ children: Mirror.Children, to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Name.self)
    let pairs = children.map { pair in Mirror(reflecting: pair.value).children.map(\.value) }
    for pair in pairs.sorted(by: { "\($0[0])" < "\($1[0])" }) {
      try object.encode(part(pair[1]), forKey: Name("\(pair[0])"))
    }
  }

  private func describe(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    // Not what the value says of itself: that may hold an address, different in each process.
    try container.encode(
      value is any CustomStringConvertible
        ? "\(value)" : "\(Mirror(reflecting: value).subjectType)")
  }

  private func part(_ value: Any) -> Reflected<Any> { Reflected<Any>(value, depth: depth + 1) }

  private static func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }
}

extension Encodable {
  /// Encodes through a container, so that the encoder's own form of dictionaries, dates and the like
  /// holds.
  func encodeWhole(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }
}
