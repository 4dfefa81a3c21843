public import JSONCore

/// What events a machine takes: the cases with their payloads, as far as they are known without
/// having seen one.
///
/// ```swift
/// var schema = EventSchema(of: CommuteEvent.self)
/// schema.learn(from: ["loggedIn": ["_0": true]])
/// schema[case: "activatedTab"]?.payload.first?.key   // "index"
/// ```
/// It goes into a timeline's header as ``json``, so that the inspector can offer a form for every
/// event, and so that an old recording can be held against today's types: see
/// ``compare(recorded:current:)``.
public struct EventSchema: Hashable, Sendable {
  /// The event type, with its module. Absent where all was learnt from events.
  public var type: String?

  /// How an event is written as JSON.
  public var encoding: Encoding

  /// Whether ``cases`` are all there are. Not so where they were learnt from events.
  public var isComplete: Bool

  /// The cases, in the order of the source where it is known.
  public var cases: [Case]

  /// The structs and enums that the payloads consist of, by name.
  public var types: [String: Definition]

  /// A schema of these parts.
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

  /// How an event is written as JSON.
  public enum Encoding: String, Sendable {
    /// An object whose only key is the case's name, and the value an object of the payload.
    case keyed
    /// The case's name as a string, or another raw value.
    case raw
    /// In a way of the type's own.
    case custom
  }

  /// A case of an enum, or an event of that name.
  public struct Case: Hashable, Sendable {
    /// The name as JSON writes it.
    public var name: String

    /// The name in the source, where it is certain. Then the labels of the payload are too.
    public var swift: String?

    /// The parts of the payload, in order.
    public var payload: [Field]

    /// Events of that name that were given or seen.
    public var samples: [JSON]

    /// A case of these parts.
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
    /// The key as JSON writes it.
    public var key: String

    /// The label or the name of the property in the source; `nil` for an unlabelled part.
    public var label: String?

    /// What stands there.
    public var shape: Shape

    /// A field of these parts.
    public init(key: String, label: String? = nil, shape: Shape) {
      self.key = key
      self.label = label
      self.shape = shape
    }
  }

  /// A struct or an enum that payloads consist of.
  public struct Definition: Hashable, Sendable {
    /// What it consists of.
    public var content: Content

    /// Whether the type's own code reads it, so that the fields are a guess by its properties.
    public var isGuess: Bool

    /// A definition.
    public init(_ content: Content, isGuess: Bool = false) {
      self.content = content
      self.isGuess = isGuess
    }

    /// What a type consists of.
    public enum Content: Hashable, Sendable {
      /// The members of an object.
      case fields([Field])
      /// The cases of an enum.
      case cases([Case])
      /// The values of an enum that is written as a string or a number.
      case values([JSON])
    }
  }

  /// The case of that name.
  public subscript(case name: String) -> Case? {
    cases.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
