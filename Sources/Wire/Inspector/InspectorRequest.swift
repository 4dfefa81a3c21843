/// A request of an inspector: its answer, and who may send it.
///
/// ```swift
/// let hosts = try await backend.ask(FromInspector.Hosts()).hosts
/// ```
package protocol InspectorRequest: Message {
  /// The answer, unless the request is refused.
  associatedtype Reply: Sendable

  /// Whether it drives a live app, so that repeating it has an effect.
  static var isCommand: Bool { get }

  /// The capability that a session needs for it.
  ///
  /// Running an app's code needs more than inspecting: it may start processes, and take long.
  var capability: Capability { get }

  /// The request as a message.
  var body: FromInspector { get }
}

extension InspectorRequest {
  package static var isCommand: Bool { false }
  package var capability: Capability { .look }
}

extension FromInspector {
  /// Whether it drives a live app, so that repeating it has an effect.
  package var isCommand: Bool {
    (message as? any InspectorRequest).map { type(of: $0).isCommand } ?? false
  }

  /// The capability that it needs.
  package var capability: Capability { (message as? any InspectorRequest)?.capability ?? .look }
}

// MARK: Looking at recordings

extension FromInspector.Timelines: InspectorRequest {
  package typealias Reply = ToInspector.Timelines
  package var body: FromInspector { .timelines(self) }
}

extension FromInspector.Watch: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var body: FromInspector { .watch(self) }
}

extension FromInspector.Entries: InspectorRequest {
  package typealias Reply = ToInspector.Entries
  package var body: FromInspector { .entries(self) }
}

extension FromInspector.Raw: InspectorRequest {
  package typealias Reply = ToInspector.Raw
  package var body: FromInspector { .raw(self) }
}

extension FromInspector.Diff: InspectorRequest {
  package typealias Reply = ToInspector.Diff
  package var body: FromInspector { .diff(self) }
}

extension FromInspector.Changes: InspectorRequest {
  package typealias Reply = ToInspector.Changes
  package var body: FromInspector { .changes(self) }
}

extension FromInspector.Find: InspectorRequest {
  package typealias Reply = ToInspector.Find
  package var body: FromInspector { .find(self) }
}

extension FromInspector.Column: InspectorRequest {
  package typealias Reply = ToInspector.Column
  package var body: FromInspector { .column(self) }
}

extension FromInspector.Growth: InspectorRequest {
  package typealias Reply = ToInspector.Growth
  package var body: FromInspector { .growth(self) }
}

extension FromInspector.Invariants: InspectorRequest {
  package typealias Reply = ToInspector.Invariants
  package var body: FromInspector { .invariants(self) }
}

extension FromInspector.Source: InspectorRequest {
  package typealias Reply = ToInspector.Source
  package var body: FromInspector { .source(self) }
}

extension FromInspector.Series: InspectorRequest {
  package typealias Reply = ToInspector.Series
  package var body: FromInspector { .series(self) }
}

extension FromInspector.Overview: InspectorRequest {
  package typealias Reply = OverviewFrame
  package var body: FromInspector { .overview(self) }
}

extension FromInspector.Export: InspectorRequest {
  package typealias Reply = ToInspector.Export
  /// *change* with `whatIf`, which runs an app's code.
  package var capability: Capability { whatIf != nil ? .change : .look }
  package var body: FromInspector { .export(self) }
}

extension FromInspector.State: InspectorRequest {
  package typealias Reply = ToInspector.State
  /// *change* with `compute`, which runs an app's code.
  package var capability: Capability { compute ? .change : .look }
  package var body: FromInspector { .state(self) }
}

extension FromInspector.Compare: InspectorRequest {
  package typealias Reply = ToInspector.Compare
  /// *change* without `with` or with another host, which runs an app's code.
  package var capability: Capability { with == nil || host != nil ? .change : .look }
  package var body: FromInspector { .compare(self) }
}

extension FromInspector.Filters: InspectorRequest {
  package typealias Reply = ToInspector.Filters
  /// *change* with `name`, which keeps or removes a filter.
  package var capability: Capability { name != nil ? .change : .look }
  package var body: FromInspector { .filters(self) }
}

// MARK: Making and changing recordings

extension FromInspector.Fork: InspectorRequest {
  package typealias Reply = ToInspector.Fork
  package var capability: Capability { .change }
  package var body: FromInspector { .fork(self) }
}

extension FromInspector.Rename: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var capability: Capability { .change }
  package var body: FromInspector { .rename(self) }
}

extension FromInspector.Delete: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var capability: Capability { .change }
  package var body: FromInspector { .delete(self) }
}

extension FromInspector.Mark: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var capability: Capability { .change }
  package var body: FromInspector { .mark(self) }
}

extension FromInspector.Import: InspectorRequest {
  package typealias Reply = ToInspector.Import
  package var capability: Capability { .change }
  package var body: FromInspector { .`import`(self) }
}

extension FromInspector.Part: InspectorRequest {
  package typealias Reply = ToInspector.Import
  package var capability: Capability { .change }
  package var body: FromInspector { .part(self) }
}

extension FromInspector.Prune: InspectorRequest {
  package typealias Reply = ToInspector.Prune
  package var capability: Capability { .change }
  package var body: FromInspector { .prune(self) }
}

extension FromInspector.Compute: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var capability: Capability { .change }
  package var body: FromInspector { .compute(self) }
}

extension FromInspector.Verify: InspectorRequest {
  package typealias Reply = ToInspector.Verify
  package var capability: Capability { .change }
  package var body: FromInspector { .verify(self) }
}

extension FromInspector.Minimize: InspectorRequest {
  package typealias Reply = ToInspector.Minimize
  package var capability: Capability { .change }
  package var body: FromInspector { .minimize(self) }
}

extension FromInspector.Explore: InspectorRequest {
  package typealias Reply = ToInspector.Explore
  package var capability: Capability { .change }
  package var body: FromInspector { .explore(self) }
}

extension FromInspector.Explain: InspectorRequest {
  package typealias Reply = ToInspector.Explain
  /// *change* with `fewest`, which runs an app's code.
  package var capability: Capability { fewest ? .change : .look }
  package var body: FromInspector { .explain(self) }
}

// MARK: Driving live apps

extension FromInspector.Hold: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package static var isCommand: Bool { true }
  package var capability: Capability { .control }
  package var body: FromInspector { .hold(self) }
}

extension FromInspector.Restore: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package static var isCommand: Bool { true }
  package var capability: Capability { .control }
  package var body: FromInspector { .restore(self) }
}

extension FromInspector.Dispatch: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package static var isCommand: Bool { true }
  package var capability: Capability { .control }
  package var body: FromInspector { .dispatch(self) }
}

extension FromInspector.Step: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package static var isCommand: Bool { true }
  package var capability: Capability { .control }
  package var body: FromInspector { .step(self) }
}

extension FromInspector.Resume: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package static var isCommand: Bool { true }
  package var capability: Capability { .control }
  package var body: FromInspector { .resume(self) }
}

extension FromInspector.Capture: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package static var isCommand: Bool { true }
  package var capability: Capability { .control }
  package var body: FromInspector { .capture(self) }
}

// MARK: The daemon

extension FromInspector.Cancel: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var body: FromInspector { .cancel(self) }
}

extension FromInspector.Status: InspectorRequest {
  package typealias Reply = ToInspector.Status
  package var body: FromInspector { .status(self) }
}

extension FromInspector.Check: InspectorRequest {
  package typealias Reply = ToInspector.Check
  package var body: FromInspector { .check(self) }
}

extension FromInspector.Sessions: InspectorRequest {
  package typealias Reply = ToInspector.Sessions
  package var body: FromInspector { .sessions(self) }
}

extension FromInspector.Revoke: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var body: FromInspector { .revoke(self) }
}

extension FromInspector.Invite: InspectorRequest {
  package typealias Reply = ToInspector.Invite
  package var body: FromInspector { .invite(self) }
}

extension FromInspector.Hosts: InspectorRequest {
  package typealias Reply = ToInspector.Hosts
  package var body: FromInspector { .hosts(self) }
}

extension FromInspector.Host: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var capability: Capability { .host }
  package var body: FromInspector { .host(self) }
}

// MARK: Copying timelines between daemons

extension FromInspector.Manifest: InspectorRequest {
  package typealias Reply = ToInspector.Manifest
  package var body: FromInspector { .manifest(self) }
}

extension FromInspector.Fetch: InspectorRequest {
  package typealias Reply = ToInspector.Fetch
  package var body: FromInspector { .fetch(self) }
}

extension FromInspector.Offer: InspectorRequest {
  package typealias Reply = ToInspector.Offer
  package var capability: Capability { .push }
  package var body: FromInspector { .offer(self) }
}

extension FromInspector.Deposit: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var capability: Capability { .push }
  package var body: FromInspector { .deposit(self) }
}

extension FromInspector.Finish: InspectorRequest {
  package typealias Reply = ToInspector.Done
  package var capability: Capability { .push }
  package var body: FromInspector { .finish(self) }
}
