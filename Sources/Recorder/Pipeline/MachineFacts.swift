import JSONCore
import Replaying
import StatesCore
import Timelines

/// The static facts about a recorded machine: everything in its header that is not about the app.
struct MachineFacts: Sendable {
  var kind: String
  var type: Any.Type
  /// The expression that makes a fresh machine, if there is one.
  var make: String?
  var eventType: (Any.Type)?
  /// How to make and rerun a fresh machine, if its types allow that.
  var replay: Replay? { HostedMachines.replay(of: type) }
  /// The type that declares redaction rules, if it is not `type`.
  var ruledType: (Any.Type)?
  /// The structure, if the machine is a statechart.
  var chart: ChartOutline?

  /// The schema of the events, if their type is known.
  var eventSchema: EventSchema? {
    eventType.map { ($0 as? any SchemaProviding.Type)?.eventSchema ?? EventSchema(of: $0) }
  }

  /// Makes the header of a timeline.
  ///
  /// - Parameter redaction: All rules of the machine, including those that its states' type
  ///   declares: samples of events must hide the same values.
  func header(
    _ timeline: TimelineID, of recorded: RecordedMachine, app: Header.App, outputs: [Header.Output],
    redaction: RedactionRules, started: Timestamp, forkedFrom: EntryReference? = nil
  ) throws -> Header {
    let typeName = SchemaTypes.name(of: type)
    var machine = Header.Machine(type: typeName, name: recorded.name)
    machine.module = typeName.split(separator: ".").first.map(String.init)
    machine.kind = kind
    machine.make = make
    machine.encoding = recorded.encoding.word
    var fields = Header.Fields(timeline: timeline, app: app, machine: machine, started: started)
    fields.outputs = outputs
    fields.forkedFrom = forkedFrom
    fields.recorder = HeaderFacts.recorderVersion
    if let schema = eventSchema {
      let shown = redaction.hiding(in: schema)
      fields.schema = try? JSONSlice(validating: shown.json.encoded())
    }
    if let chart, let bytes = try? CanonicalEncoder().encode(chart) {
      fields.chart = try? JSONSlice(validating: bytes)
    }
    return try Header(fields)
  }
}
