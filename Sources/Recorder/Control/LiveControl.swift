import JSONCore
import Replaying
import StatesCore
package import Timelines
package import Wire

/// Executes commands on one type of machine.
///
/// Use it on the machine's isolation only. Commands that the machine does not support return a
/// reason.
package struct LiveControl: Sendable {
  package struct Context {
    /// Records that the step with this number restores a moment.
    package var willRestore: (EntryReference, Int) -> Void
    /// Returns the entry of a step.
    package var seq: (Int) -> Int64?
    /// Whether the machine is still held. The machine may call it at any time.
    package var isHeld: @Sendable () -> Bool

    package init(
      willRestore: @escaping (EntryReference, Int) -> Void, seq: @escaping (Int) -> Int64?,
      isHeld: @escaping @Sendable () -> Bool = { true }
    ) {
      self.willRestore = willRestore
      self.seq = seq
      self.isHeld = isHeld
    }
  }

  private let body: @Sendable (AnyObject, ControlAction, Context) -> ControlOutcome

  /// Creates a control that executes commands with a closure.
  package init(_ body: @escaping @Sendable (AnyObject, ControlAction, Context) -> ControlOutcome) {
    self.body = body
  }

  package func perform(
    _ action: ControlAction, on machine: AnyObject, _ context: Context
  ) -> ControlOutcome {
    body(machine, action, context)
  }

  /// The recorded call site of the inspector's events.
  static let site = CallSite(file: "inspector", line: 0)
}

/// Why a command cannot be executed.
package struct ControlRefusal: Error {
  let code: ErrorCode
  let sentence: String
  let path: String?

  package init(_ code: ErrorCode, _ sentence: String, path: String? = nil) {
    self.code = code
    self.sentence = sentence
    self.path = path
  }

  /// The payload cannot be decoded.
  init(_ error: ReplayError, path: String) {
    self.init(.wrongValue, "\(error)", path: path)
  }

  init(standInAt pointer: Pointer, path: String) {
    self.init(
      .forbidden,
      """
      \(pointer) contains a stand-in for a redacted value, which a live app must not receive. \
      To fix, replace it with a real value.
      """, path: path)
  }
}

extension LiveControl {
  /// Executes a command on a machine with a kernel.
  ///
  /// - Parameters:
  /// - state: Decodes a state, and rejects one with stand-ins.
  /// - dispatch: Decodes an event, and sends it even while the machine is held.
  static func perform<M: StateMachine>(
    _ action: ControlAction, on machine: M, _ context: Context,
    state: (JSONSlice) throws(ControlRefusal) -> M.State,
    dispatch: (JSONSlice) throws(ControlRefusal) -> SendAnswer
  ) -> ControlOutcome {
    let kernel = machine.kernel
    // This only happens to a caller that polls from inside a reducer or an observer.
    guard !kernel.isBusy else {
      return .refused(
        .conflict,
        "The machine is handling an event. To fix, call poll outside its reducer and observers.")
    }
    do throws(ControlRefusal) {
      switch action {
      case .hold(let policy): kernel.hold(policy, while: context.isHeld)
      case .resume: kernel.resume()
      case .step:
        guard kernel.stepWaiting() else { throw ControlRefusal(.failed, "No event is queued.") }
      case .restore(let slice, let moment):
        let value = try state(slice)
        context.willRestore(moment, kernel.number + 1)
        kernel.restore(value, at: site, origin: .inspector)
      case .dispatch(let slice):
        if try dispatch(slice) == .refused {
          throw ControlRefusal(.failed, "The machine refused the event.", path: "event")
        }
      }
    } catch {
      return .refused(error.code, error.sentence, path: error.path)
    }
    let queued = kernel.isHeld ? kernel.waitingCount : 0
    return .done(seq: context.seq(kernel.number), queued: queued > 0 ? queued : nil)
  }
}
