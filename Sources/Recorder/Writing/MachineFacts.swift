import JSONCore
import Replaying
import StatesCore
import Timelines

/// What is known of a machine when it is recorded: everything in its header that is not the app's.
struct MachineFacts: Sendable {
  /// The kind of machine, as headers have it.
  var kind: String
  /// The type that names the machine.
  var type: Any.Type
  /// The type that makes a fresh one, when it is not the same.
  var make: String?
  /// The type of its events, for the schema.
  var eventType: (Any.Type)?
  /// How a fresh machine is made and run again, when its types allow that.
  var replay: Replay? { HostedMachines.replay(of: type) }
  /// The type that says what of the machine must not be seen, when it is not the one that names it.
  var ruledType: (Any.Type)?
  /// The structure of a chart.
  var chart: ChartOutline?

  /// The header of a timeline of the machine.
  ///
  /// - Parameter redaction: all rules of its entries, including those that the type of its states
  ///   declares: samples of events must hide the same.
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
    if let eventType {
      let schema =
        (eventType as? any SchemaProviding.Type)?.eventSchema ?? EventSchema(of: eventType)
      let shown = redaction.hiding(in: schema)
      fields.schema = try? JSONSlice(validating: shown.json.encoded())
    }
    if let chart, let bytes = try? CanonicalEncoder().encode(chart) {
      fields.chart = try? JSONSlice(validating: bytes)
    }
    return try Header(fields)
  }
}
