import JSONCore
import Replaying
import StatesCore
import Timelines
import Wire

/// Decoding the payloads of commands, and rejecting stand-ins.
extension LiveControl {
  /// Makes a state that the type lists as dispatchable, with arguments from a recording.
  static func makeState<Object: Stateful>(
    _ type: Object.Type, _ name: String, _ arguments: JSONSlice?
  ) throws -> FunctionalState<Object.Subject> {
    guard let arguments else { return try Object.dispatchableState(named: name, arguments: nil) }
    // A decoder is only available inside a decoding; it keeps what it reads from.
    let decoder = try CanonicalDecoder().decode(DecoderBox.self, from: arguments).decoder
    return try Object.dispatchableState(named: name, arguments: decoder)
  }

  /// Why a state was not made.
  static func refusal(of error: any Error, _ rules: RedactionRules) -> ControlRefusal {
    var error = error
    if !rules.isEmpty, case DispatchError.argumentsDoNotFit(let state, _) = error {
      error = DispatchError.argumentsDoNotFit(
        state: state, reason: "the reason is not shown because of redaction")
    }
    return ControlRefusal(.wrongValue, "\(error)", path: "event")
  }

  static func readState<State: Codable>(
    _ slice: JSONSlice, _ rules: RedactionRules
  ) throws(ControlRefusal) -> State {
    let state: State = try decode(slice, "state", rules)
    let found: Pointer?
    do {
      found = try rules.standIn(inState: state)
    } catch {
      let description = TimelineWriter.describe(error, isRedacting: !rules.isEmpty)
      throw ControlRefusal(.failed, "The state cannot be encoded: \(description)", path: "state")
    }
    if let found { throw ControlRefusal(standInAt: found, path: "state") }
    return state
  }

  static func readEvent<Event: Decodable>(
    _ slice: JSONSlice, _ rules: RedactionRules
  ) throws(ControlRefusal) -> Event {
    let event: Event = try decode(slice, "event", rules)
    if let event = event as? any Encodable {
      try check(event, rules)
    } else {
      try check(RecordedJSON(slice.value), rules)
    }
    return event
  }

  static func check(
    _ event: any Encodable, _ rules: RedactionRules
  ) throws(ControlRefusal) {
    let found: Pointer?
    do {
      found = try rules.standIn(inEvent: event)
    } catch {
      let description = TimelineWriter.describe(error, isRedacting: !rules.isEmpty)
      throw ControlRefusal(.failed, "The event cannot be encoded: \(description)", path: "event")
    }
    if let found { throw ControlRefusal(standInAt: found, path: "event") }
  }

  private static func decode<Value: Decodable>(
    _ slice: JSONSlice, _ path: String, _ rules: RedactionRules
  ) throws(ControlRefusal) -> Value {
    do {
      return try CanonicalDecoder().decode(Value.self, from: slice)
    } catch {
      let why = DecodingSentence.text(of: error, hidesValues: !rules.isEmpty)
      throw ControlRefusal(
        .wrongValue, "The \(path) cannot be decoded as \(Value.self): \(why)", path: path)
    }
  }
}

/// Keeps a decoder beyond the decoding.
private struct DecoderBox: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) throws {
    self.decoder = decoder
  }
}
