public import JSONCore

/// The events of a machine: the cases with their payloads, as far as they are known.
///
/// ```swift
/// enum CommuteEvent: Codable {
///   case activatedTab(index: Int)
///   case loggedIn(Bool)
/// }
/// var schema = EventSchema(of: CommuteEvent.self)
/// schema.learn(from: ["loggedIn": ["_0": true]])
/// schema[case: "activatedTab"]?.payload.first?.key   // "index"
/// ```
/// A timeline's header has it as ``json``, so that the inspector can offer a form for every event,
/// and an old recording can be compared with today's types: see ``compare(recorded:current:)``.
public struct EventSchema: Hashable, Sendable {
  /// The event type, with its module. Absent if the schema was learned from events.
  public var type: String?

  /// How events are encoded.
  public var encoding: Encoding

  /// Whether ``cases`` is complete. False if the cases were learned from events.
  public var isComplete: Bool

  /// The cases, in the order of the source if known.
  public var cases: [Case]

  /// The structs and enums in payloads, by name.
  public var types: [String: Definition]

  /// Creates a schema.
  public init(
    type: String? = nil, encoding: Encoding = .keyed, isComplete: Bool = false,
    cases: [Case] = [], types: [String: Definition] = [:]
  ) {
    self.type = type
    self.encoding = encoding
    self.isComplete = isComplete
    self.cases = cases
    self.types = types
  }

  /// How events are encoded.
  public enum Encoding: String, Sendable {
    /// An object whose only key is the case's name, and the value an object of the payload.
    case keyed
    /// The case's name as a string, or another raw value.
    case raw
    /// A custom encoding of the type.
    case custom
  }

  /// A case of an enum, or an event name.
  public struct Case: Hashable, Sendable {
    /// The name in JSON.
    public var name: String

    /// The name in source, if certain. Then the labels of the payload are certain, too.
    public var swift: String?

    /// The parts of the payload, in order.
    public var payload: [Field]

    /// Sample events with this name.
    public var samples: [JSON]

    /// Creates a case.
    public init(
      name: String, swift: String? = nil, payload: [Field] = [], samples: [JSON] = []
    ) {
      self.name = name
      self.swift = swift
      self.payload = payload
      self.samples = samples
    }
  }

  /// A part of a payload, or a member of a struct.
  public struct Field: Hashable, Sendable {
    /// The key in JSON.
    public var key: String

    /// The label or the name of the property in source; `nil` for an unlabeled part.
    public var label: String?

    /// The shape of the value.
    public var shape: Shape

    /// Creates a field.
    public init(key: String, label: String? = nil, shape: Shape) {
      self.key = key
      self.label = label
      self.shape = shape
    }
  }

  /// A struct or an enum in payloads.
  public struct Definition: Hashable, Sendable {
    /// Its content.
    public var content: Content

    /// Whether the type has its own decoding code, so that the fields are guessed from its properties.
    public var isGuess: Bool

    /// Creates a definition.
    public init(_ content: Content, isGuess: Bool = false) {
      self.content = content
      self.isGuess = isGuess
    }

    /// The content of a type.
    public enum Content: Hashable, Sendable {
      /// The members of an object.
      case fields([Field])
      /// The cases of an enum.
      case cases([Case])
      /// The values of an enum that is encoded as a string or a number.
      case values([JSON])
    }
  }

  /// The case with a name.
  public subscript(case name: String) -> Case? {
    cases.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
