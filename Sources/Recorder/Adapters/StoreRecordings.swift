public import Replaying
public import StatesCore
import Synchronization

/// Distinguishes the stores that share one recorded reducer.
public struct StoreIdentity: Hashable, Sendable {
  // If two identities have the same 64-bit hash, their stores share a timeline; nothing else
  // breaks.
  private let hash: Int?

  /// A store whose identity the caller does not know. All such stores share one timeline.
  public static let unknown = StoreIdentity(hash: nil)

  /// Creates the identity of a store.
  public init(_ identity: some Hashable) {
    self.init(hash: identity.hashValue)
  }

  private init(hash: Int?) {
    self.hash = hash
  }
}

/// Records a reducer that its library evaluates again for each action, or that several stores
/// share: one timeline for each store, however often the reducer is attached.
///
/// This type is for integrations with other libraries; see `Integrations/`.
///
/// ```swift
/// let recorder = StateRecorder(app: "Commute")
/// func reduce(_ count: inout Int, _ by: Int) {
///   let recording = recorder.storeRecordings(of: Int.self, Int.self, as: "counter")
///   recording?.reduce(&count, by, in: .unknown) { $0 += by }
/// }
/// var count = 0
/// for _ in 1...3 { reduce(&count, 2) }
/// assert(count == 6)
/// ```
public final class StoreRecordings<State: Sendable, Event: Sendable>: Sendable {
  typealias Tap = FunctionTap<State, Performed<Event>>

  /// How many stores have a timeline at a time. Beyond that, the timeline of the least recently
  /// used store ends.
  static var maximumStores: Int { 64 }

  private struct Entry {
    var recording: StoreRecording<Tap>
    var used: UInt64
  }

  private let make: @Sendable () -> Tap?
  private let stores = ForkSafeMutex<(entries: [StoreIdentity: Entry], uses: UInt64)>(([:], 0))

  init(_ make: @escaping @Sendable () -> Tap?) {
    self.make = make
  }

  /// Calls the reducer, and records the step in the store's timeline.
  public func reduce<Answer>(
    _ state: inout State, _ event: Event, in store: StoreIdentity,
    _ body: (inout State) -> Answer
  ) -> Answer {
    let recording = find(store)
    guard let tap = recording.enter() else { return body(&state) }
    defer { recording.leave() }
    return tap.change(&state, Performed(event: event), body)
  }

  private func find(_ store: StoreIdentity) -> StoreRecording<Tap> {
    // Release the evicted recording outside the lock.
    let (recording, evicted) = stores.withLock { stores in
      stores.uses += 1
      if let found = stores.entries[store]?.recording {
        stores.entries[store]?.used = stores.uses
        return (found, nil as StoreRecording<Tap>?)
      }
      var evicted: StoreRecording<Tap>?
      if stores.entries.count >= Self.maximumStores,
        let oldest = stores.entries.min(by: { $0.value.used < $1.value.used })?.key
      {
        evicted = stores.entries.removeValue(forKey: oldest)?.recording
      }
      let recording = StoreRecording(make)
      stores.entries[store] = Entry(recording: recording, used: stores.uses)
      return (recording, evicted)
    }
    withExtendedLifetime(evicted) {}
    return recording
  }
}

/// The store recordings of a recorder, by call site, name, and types.
final class StoreRecordingRegistry: Sendable {
  /// A program has few call sites. The limit keeps names that are computed for each action from
  /// filling the memory.
  static let maximumCount = 256

  private let recordings = ForkSafeMutex<[String: any AnyObject & Sendable]>([:])

  /// Returns the recordings for a key, and makes them if needed; nil when there are too many keys.
  func find<Found: AnyObject & Sendable>(_ key: String, _ make: () -> Found) -> Found? {
    recordings.withLock { recordings in
      if let found = recordings[key] { return found as? Found }
      guard recordings.count < Self.maximumCount else { return nil }
      let made = make()
      recordings[key] = made
      return made
    }
  }
}

extension StateRecorder {
  /// Returns the recordings of a reducer, one for each store. Each call from one place returns the
  /// same object.
  ///
  /// Returns nil when nothing is recorded. To support branches and replays, pass as `make` a type
  /// that makes a `RecordedReducer`.
  public func storeRecordings<State: Encodable & Sendable, Event: Sendable>(
    of state: State.Type, _ event: Event.Type, as name: String,
    outputs: Outputs<State> = Outputs([]), madeBy make: (any Replayable.Type)? = nil,
    file: StaticString = #fileID, line: UInt32 = #line
  ) -> StoreRecordings<State, Event>? {
    let facts = PerformedFacts(name: name, site: CallSite(file: file, line: line), make: make)
    return findRecordings(facts, outputs) { $0 }
  }

  /// Returns the recordings of a reducer whose state is not `Codable`, by reflection.
  @_disfavoredOverload
  public func storeRecordings<State: Sendable, Event: Sendable>(
    of state: State.Type, _ event: Event.Type, as name: String,
    outputs: Outputs<State> = Outputs([]), file: StaticString = #fileID, line: UInt32 = #line
  ) -> StoreRecordings<State, Event>? {
    let facts = PerformedFacts(
      name: name, site: CallSite(file: file, line: line), isReflected: true)
    return findRecordings(facts, outputs) { Reflected($0) }
  }

  private func findRecordings<
    State: Sendable, Event: Sendable, Recorded: Encodable & SendableMetatype
  >(
    _ facts: PerformedFacts, _ outputs: Outputs<State>,
    _ record: @escaping @Sendable (State) -> Recorded
  ) -> StoreRecordings<State, Event>? {
    let key = "\(facts.site) \(facts.name) \(State.self) \(Event.self)"
    return core?.storeRegistry.find(key) {
      StoreRecordings { [weak self] in self?.makePerformedTap(facts, outputs, record) }
    }
  }
}
