public import JSONCore

extension EventSchema {
  /// The schema as JSON for a header.
  ///
  /// ```json
  /// {"type":"App.Event","encoding":"keyed","complete":true,"cases":[
  ///   {"name":"opened","swift":"opened","payload":[]},
  ///   {"name":"activatedTab","swift":"activatedTab","payload":[
  ///     {"key":"index","label":"index","kind":"int","type":"Swift.Int"}],
  ///    "samples":[{"activatedTab":{"index":2}}]},
  ///   {"name":"moved","swift":"moved","payload":[
  ///     {"key":"_0","kind":"array","type":"Swift.Array<App.Stop>",
  ///      "element":{"kind":"struct","type":"App.Stop"}}]}],
  ///  "types":{"App.Stop":{"kind":"struct","fields":[
  ///    {"key":"on","label":"on","kind":"optional","element":{"kind":"bool","type":"Swift.Bool"}}]}},
  ///  "fingerprint":"91b0c2…"}
  /// ```
  /// - `kind` is one of `string`, `int`, `double`, `bool`, `date`, `data`, `url`, `uuid`, `any`;
  ///   `array`, `dictionary`, `optional` with an `element`; `struct`, `enum` with a `type` that
  ///   `types` defines.
  /// - A definition has `fields`, `cases`, or the `values` of an enum with raw values. `guess` means
  ///   that the type has its own decoding code, so that the fields may differ.
  /// - `swift` is present if the case can be written in Swift as `.swift(label: …)`. A field without a
  ///   label does not have one there either.
  public var json: JSON {
    var object = content(withSamples: true)
    object["fingerprint"] = .string(fingerprint)
    return .object(object)
  }

  /// Sixteen hexadecimal digits that are equal for equal cases, payloads, and types, whatever the
  /// samples are.
  public var fingerprint: String {
    let digits = String(JSON.object(content(withSamples: false)).fingerprint, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }

  private func content(withSamples: Bool) -> JSON.Object {
    var object = JSON.Object()
    if let type { object["type"] = .string(type) }
    object["encoding"] = .string(encoding.rawValue)
    object["complete"] = .bool(isComplete)
    object["cases"] = .array(cases.map { json($0, withSamples: withSamples) })
    if !types.isEmpty {
      var definitions = JSON.Object()
      for (name, definition) in types.sorted(by: { $0.key.precedesByBytes($1.key) }) {
        definitions[name] = json(definition)
      }
      object["types"] = .object(definitions)
    }
    return object
  }

  private func json(_ one: Case, withSamples: Bool) -> JSON {
    var object = JSON.Object()
    object["name"] = .string(one.name)
    if let swift = one.swift { object["swift"] = .string(swift) }
    object["payload"] = .array(one.payload.map(json))
    if withSamples, !one.samples.isEmpty { object["samples"] = .array(one.samples) }
    return .object(object)
  }

  private func json(_ field: Field) -> JSON {
    var object = JSON.Object()
    object["key"] = .string(field.key)
    if let label = field.label { object["label"] = .string(label) }
    describe(field.shape, in: &object)
    return .object(object)
  }

  private func json(_ shape: Shape) -> JSON {
    var object = JSON.Object()
    describe(shape, in: &object)
    return .object(object)
  }

  private func describe(_ shape: Shape, in object: inout JSON.Object) {
    func setKind(_ kind: String, _ type: String?, _ element: Shape? = nil) {
      object["kind"] = .string(kind)
      if let type { object["type"] = .string(type) }
      if let element { object["element"] = json(element) }
    }
    switch shape {
    case .scalar(let kind, let type): setKind(kind.rawValue, type)
    case .array(let element, let type): setKind("array", type, element)
    case .dictionary(let element, let type): setKind("dictionary", type, element)
    case .optional(let element): setKind("optional", nil, element)
    case .named(let name): setKind(types[name]?.kind ?? "struct", name)
    }
  }

  private func json(_ definition: Definition) -> JSON {
    var object = JSON.Object()
    object["kind"] = .string(definition.kind)
    switch definition.content {
    case .fields(let fields): object["fields"] = .array(fields.map(json))
    case .cases(let cases): object["cases"] = .array(cases.map { json($0, withSamples: true) })
    case .values(let values): object["values"] = .array(values)
    }
    if definition.isGuess { object["guess"] = true }
    return .object(object)
  }
}

extension EventSchema.Definition {
  /// Its name in a header.
  fileprivate var kind: String {
    if case .fields = content { "struct" } else { "enum" }
  }
}

extension EventSchema {
  /// Reads a schema from a header; `nil` if it is invalid.
  ///
  /// Unknown kinds become `any`, and unknown members are ignored.
  public init?(json: JSON) {
    guard let cases = json["cases"]?.array else { return nil }
    type = json["type"]?.string
    encoding = json["encoding"]?.string.flatMap(Encoding.init) ?? .custom
    isComplete = json["complete"]?.bool ?? false
    self.cases = cases.compactMap(Self.readCase)
    types = [:]
    for (name, definition) in json["types"]?.object ?? JSON.Object() {
      types[name] = Self.readDefinition(definition)
    }
  }

  private static func readCase(_ json: JSON) -> Case? {
    guard let name = json["name"]?.string else { return nil }
    return Case(
      name: name, swift: json["swift"]?.string,
      payload: (json["payload"]?.array ?? []).compactMap(readField),
      samples: json["samples"]?.array ?? [])
  }

  private static func readField(_ json: JSON) -> Field? {
    guard let key = json["key"]?.string else { return nil }
    return Field(key: key, label: json["label"]?.string, shape: readShape(json))
  }

  /// The depth of the text, which is limited, also limits the recursion.
  private static func readShape(_ json: JSON?) -> Shape {
    let type = json?["type"]?.string
    switch json?["kind"]?.string {
    case "array": return .array(of: readShape(json?["element"]), type: type)
    case "dictionary": return .dictionary(of: readShape(json?["element"]), type: type)
    case "optional": return .optional(readShape(json?["element"]))
    case "struct", "enum": return type.map(Shape.named) ?? .unknown
    case let kind: return .scalar(kind.flatMap(Shape.Kind.init) ?? .any, type: type)
    }
  }

  private static func readDefinition(_ json: JSON) -> Definition? {
    let isGuess = json["guess"]?.bool ?? false
    if let fields = json["fields"]?.array {
      return Definition(.fields(fields.compactMap(readField)), isGuess: isGuess)
    }
    if let cases = json["cases"]?.array {
      return Definition(.cases(cases.compactMap(readCase)), isGuess: isGuess)
    }
    return json["values"]?.array.map { Definition(.values($0), isGuess: isGuess) }
  }
}
