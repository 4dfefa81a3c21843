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

/// An event of a machine that is encoded on its own thread.
@usableFromInline
package enum CallerEvent: Sendable {
  /// It was handled, and encoded then.
  case handled(Result<[UInt8], CallerError>)
  /// It is being handled; it is encoded when the program dies of it.
  case begun(BegunEvent)

  /// The event as JSON.
  var json: Result<[UInt8], CallerError> {
    switch self {
    case .handled(let json): json
    case .begun(let event): event.encode()
    }
  }
}

/// An event that is being handled, with what encodes it.
// Safe: `@unchecked` because another thread encodes it only when the program dies in its reducer: then
// the machine's own thread stands still. It is made and let go of on that thread.
@usableFromInline
package final class BegunEvent: @unchecked Sendable {
  let encode: () -> Result<[UInt8], CallerError>

  init(_ encode: @escaping () -> Result<[UInt8], CallerError>) {
    self.encode = encode
  }
}

/// What an encoding on the machine's thread threw, in words.
@usableFromInline
package struct CallerError: Error, CustomStringConvertible {
  @usableFromInline package let description: String
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
    .handled(json(input, error: details.error))
  }

  func begun(_ input: Appearance.Input) -> CallerEvent {
    .begun(BegunEvent { json(input, error: nil) })
  }

  private func json(
    _ input: Appearance.Input, error: (any Error)?
  ) -> Result<[UInt8], CallerError> {
    let context = EventContext(patch: nil, base: base, error: error)
    return attempt { try appearance.event(input, in: context) }
  }

  private func attempt(_ body: () throws -> [UInt8]) -> Result<[UInt8], CallerError> {
    do {
      return .success(try body())
    } catch {
      // What is hidden is not known here; the recorder's thread leaves the words out where it is.
      return .failure(
        CallerError(description: TimelineDesk.words(of: error, isRedacting: false)))
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
