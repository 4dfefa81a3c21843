import JSONCore

extension EventSchema {
  /// What is known of a type of events without having seen one.
  ///
  /// Everything for an enum whose Codable is synthesised. A type of another kind, and any type in a
  /// program built without reflection metadata, has no cases until some are learnt. No code of the
  /// type runs but the beginning of its `init(from:)`, which is stopped at its first request.
  public init(of type: Any.Type) {
    var builder = SchemaBuilder()
    let event = builder.event(type)
    self.init(
      type: SchemaTypes.name(of: type), encoding: event?.encoding ?? .custom,
      isComplete: event.map { $0.encoding != .custom && !($0.encoding == .raw && $0.cases.isEmpty) }
        ?? false,
      cases: event?.cases ?? [], types: builder.types)
  }

  /// What is known of a type of events, with samples for the inspector to begin with.
  ///
  /// A sample that cannot be encoded is left out.
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
