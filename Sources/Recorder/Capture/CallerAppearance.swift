import JSONCore
import Replaying
import StatesCore
import Timelines

/// Where states and events are encoded that cannot leave the machine's isolation.
public enum EncodingPlace: Hashable, Sendable {
  /// On the thread that sends: each step costs it an encoding of the whole state.
  case onCaller
}

/// A state that was encoded on its machine's thread, and outputs with it.
@usableFromInline
package struct CallerState: Sendable {
  let json: Result<[UInt8], CallerError>
  let outputs: [RecordedOutput]
}

/// An event that was encoded on its machine's thread.
@usableFromInline
package struct CallerEvent: Sendable {
  let json: Result<[UInt8], CallerError>
}

/// What an encoding on the machine's thread threw, in words.
struct CallerError: Error, CustomStringConvertible {
  let description: String
}

/// Encodes on the machine's thread.
struct CallerEncoder<Appearance: MachineAppearance> {
  let appearance: Appearance
  let base: Int

  func state(_ state: Appearance.State, after input: Appearance.Input?) -> CallerState {
    CallerState(
      json: attempt { try CanonicalEncoder().encode(appearance.recorded(state)) },
      outputs: appearance.outputs(of: state, after: input))
  }

  func event(_ input: Appearance.Input, _ details: StepDetails) -> CallerEvent {
    let context = EventContext(patch: nil, base: base, error: details.error)
    return CallerEvent(json: attempt { try appearance.event(input, in: context) })
  }

  private func attempt(_ body: () throws -> [UInt8]) -> Result<[UInt8], CallerError> {
    do {
      return .success(try body())
    } catch {
      return .failure(CallerError(description: "\(error)"))
    }
  }
}

/// How a machine appears that was encoded on its own thread: as the JSON it is by now.
struct CallerAppearance: MachineAppearance, Sendable {
  typealias State = CallerState
  typealias Input = CallerEvent

  let outputKinds: [Header.Output]

  func recorded(_ state: CallerState) -> Encoded { Encoded(state: state) }

  func outputs(of state: CallerState, after input: CallerEvent?) -> [RecordedOutput] {
    state.outputs
  }

  func event(_ input: CallerEvent, in context: EventContext) throws -> [UInt8] {
    try input.json.get()
  }

  /// A state that is JSON already, as a value that is encoded.
  struct Encoded: Encodable {
    let state: CallerState

    func encode(to encoder: any Encoder) throws {
      try RecordedJSON(JSON(parsing: state.json.get())).encode(to: encoder)
    }
  }
}
