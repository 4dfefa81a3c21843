import JSONCore

extension EventSchema {
  /// The schema of a type of events, without samples.
  ///
  /// It is complete for an enum with synthesized Codable. Other types, and all types in a program
  /// without reflection metadata, have no cases until some are learned. The only code of the type that
  /// runs is the start of its `init(from:)`, up to its first request.
  public init(of type: Any.Type) {
    var builder = SchemaBuilder()
    let event = builder.event(type)
    self.init(
      type: SchemaTypes.name(of: type), encoding: event?.encoding ?? .custom,
      isComplete: event.map { $0.encoding != .custom && !($0.encoding == .raw && $0.cases.isEmpty) }
        ?? false,
      cases: event?.cases ?? [], types: builder.types)
  }

  /// The schema of a type of events, with initial samples for the inspector.
  ///
  /// Ignores samples that cannot be encoded.
  public init<Event: Encodable>(of type: Event.Type, samples: [Event]) {
    self.init(of: type)
    for sample in samples {
      guard let bytes = try? CanonicalEncoder().encode(sample),
        let json = try? JSON(parsing: bytes)
      else { continue }
      learn(from: json)
    }
  }
}
