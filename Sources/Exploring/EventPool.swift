package import JSONCore
package import Timelines

/// The events that an exploration sends: payloads that were recorded, cases of the schema that were
/// not, and small changes of both.
///
/// ```swift
/// let pool = EventPool(recorded: events, schema: schema, states: [state], excluding: ["scrolled"])
/// for event in pool.events + pool.variants(in: state) { … }
/// ```
package struct EventPool: Sendable {
  /// The events for every state, the plausible ones first.
  package let events: [PoolEvent]

  /// The number of the plausible ones.
  package let plausibleCount: Int

  /// The cases of the schema for which no event could be made, and events that are too large.
  package let missing: [String]

  /// Where payloads refer to a part of the state, for each of the plausible events.
  private let references: [[Reference]]

  /// The events, for comparison with variants.
  private let known: Set<JSON>

  private struct Reference {
    var pointer: Pointer
    var value: JSON
  }

  /// The maximum number of changed payloads.
  private static let changedCount = 128
  /// The maximum weight of an event whose payload is changed: each change is a copy.
  private static let changedWeight = 16_384
  /// The maximum number of plausible events: names can be data.
  private static let plausibleLimit = 256
  /// The maximum number of variants of the plausible events in a state.
  private static let variantLimit = 128
  /// The maximum number of ids of the state for each reference.
  private static let idCount = 4
  /// The maximum number of parts of a payload to look at.
  private static let leafCount = 64

  /// - Parameters:
  ///   - recorded: events of recordings of the machine's type.
  ///   - states: some of its states, to find out which parts of payloads are ids.
  ///   - excluded: names of events that are not sent.
  package init(
    recorded payloads: RecordedPayloads, schema: EventSchema?, states: [JSON],
    excluding excluded: Set<String> = []
  ) {
    var payloads = payloads
    var missing: [String] = []
    if let schema {
      let known = SchemaEvents(schema: schema)
      for one in schema.cases where payloads[one.name].isEmpty {
        if let event = known.event(of: one) {
          payloads.insert(event, named: one.name)
        } else {
          missing.append(one.name)
        }
      }
    }
    missing += payloads.tooLarge
    self.missing = missing.filter { !excluded.contains($0) }
    let names = payloads.names.filter { !excluded.contains($0) }
    let chosen = names.map { payloads[$0] }
    let plausible = chosen.joined().prefix(Self.plausibleLimit).map { PoolEvent($0) }
    var seen = Set(plausible.map(\.event))
    var changed: [PoolEvent] = []
    for event in chosen.compactMap(\.first) where changed.count < Self.changedCount {
      guard event.weight(upTo: Self.changedWeight) <= Self.changedWeight else { continue }
      for variant in PayloadMutations.variants(of: event) where seen.insert(variant).inserted {
        changed.append(PoolEvent(variant, isPlausible: false))
      }
    }
    let events = plausible + changed.prefix(Self.changedCount)
    self.events = events
    known = Set(events.map(\.event))
    plausibleCount = plausible.count
    let ids = Identifiers(in: states)
    references = plausible.map { Self.references(in: $0.event, ids) }
  }

  private init(_ events: [PoolEvent], _ missing: [String], _ references: [[Reference]]) {
    self.events = events
    plausibleCount = events.count
    self.missing = missing
    self.references = references
    known = Set(events.map(\.event))
  }

  /// Only the plausible events, without ids of the state.
  package var plausible: EventPool {
    EventPool(Array(events.prefix(plausibleCount)), missing, [])
  }

  package var names: [String] {
    var seen: Set<String> = []
    return events.map(\.name).filter { seen.insert($0).inserted }
  }

  /// The plausible events with ids of this state in place of recorded ones.
  package func variants(in state: JSON) -> [PoolEvent] { variants(with: ids(in: state)) }

  /// The ids of a state that decide its variants; none if no event refers to one.
  package func ids(in state: JSON) -> [JSON] {
    hasReferences ? Self.chosen(Identifiers(in: CollectionOfOne(state)).values) : []
  }

  private static func chosen(_ ids: [JSON]) -> [JSON] {
    let texts = ids.lazy.filter { $0.string != nil }.prefix(idCount)
    let numbers = ids.lazy.filter { $0.string == nil }.prefix(idCount)
    return Array(texts) + Array(numbers)
  }

  /// As `ids(in:)`, read from the state's text.
  package func ids(in state: JSONSlice) -> [JSON] {
    hasReferences ? Self.chosen(Identifiers(in: state).values) : []
  }

  private var hasReferences: Bool { references.contains { !$0.isEmpty } }

  /// The plausible events with these ids in place of recorded ones.
  package func variants(with ids: [JSON]) -> [PoolEvent] {
    guard !ids.isEmpty else { return [] }
    var seen: Set<JSON> = []
    var found: [PoolEvent] = []
    for (event, references) in zip(events, references) {
      for reference in references {
        let others = ids.filter { Self.isSameKind($0, reference.value) }
        for id in others {
          guard let variant = event.event.replacing(reference.pointer, with: id),
            !known.contains(variant), seen.insert(variant).inserted
          else { continue }
          found.append(PoolEvent(variant))
          if found.count >= Self.variantLimit { return found }
        }
      }
    }
    return found
  }

  private static func isSameKind(_ left: JSON, _ right: JSON) -> Bool {
    switch (left, right) {
    case (.string, .string), (.number, .number): true
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  private static func references(in event: JSON, _ ids: Identifiers) -> [Reference] {
    guard case .object = event else { return [] }
    return event.leaves(limit: leafCount).compactMap { leaf in
      guard Identifiers.isPossible(leaf.value),
        Identifiers.isKey(leaf.key) || ids.contains(leaf.value)
      else { return nil }
      return Reference(pointer: leaf.pointer, value: leaf.value)
    }
  }
}
