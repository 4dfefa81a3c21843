import JSONCore
import Replaying
import StatesCore
import Timelines

/// Where to encode states and events that cannot leave the machine's isolation.
public enum EncodingPlace: Hashable, Sendable {
  /// On the sending thread. Each step then costs that thread an encoding of the whole state.
  case onCaller
}

/// A state that was encoded on its machine's thread, with its outputs.
@usableFromInline
package struct CallerState: Sendable {
  let json: Result<[UInt8], CallerError>
  let outputs: [RecordedOutput]
}

/// An event of a machine that encodes on the sending thread.
@usableFromInline
package enum CallerEvent: Sendable {
  /// The event was handled, and then encoded.
  case handled(Result<[UInt8], CallerError>)
  /// The event is being handled. It is encoded only if the program crashes in the reducer.
  case begun(BegunEvent)

  /// The event as JSON.
  var json: Result<[UInt8], CallerError> {
    switch self {
    case .handled(let json): json
    case .begun(let event): event.encode()
    }
  }
}

/// An event that is being handled, and the closure that encodes it.
// Safe: `@unchecked` because another thread encodes it only if the program crashes in its reducer,
// while the machine's own thread is stopped. Otherwise it is created and released on that thread.
@usableFromInline
package final class BegunEvent: @unchecked Sendable {
  let encode: () -> Result<[UInt8], CallerError>

  init(_ encode: @escaping () -> Result<[UInt8], CallerError>) {
    self.encode = encode
  }
}

/// The error of an encoding on the machine's thread, as text.
@usableFromInline
package struct CallerError: Error, CustomStringConvertible {
  @usableFromInline package let description: String
}

/// Encodes states and events on the machine's thread.
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
      // Whether anything is redacted is not known here; if so, the recorder's thread omits the
      // text.
      return .failure(
        CallerError(description: TimelineWriter.describe(error, isRedacting: false)))
    }
  }
}

/// Passes through what was already encoded on the machine's thread.
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

  /// Makes a state that is already JSON encodable.
  struct Encoded: Encodable {
    let state: CallerState

    func encode(to encoder: any Encoder) throws {
      try RecordedJSON(JSON(parsing: state.json.get())).encode(to: encoder)
    }
  }
}
