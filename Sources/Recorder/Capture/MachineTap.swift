public import StatesCore
public import Synchronization

/// Tells an inbox that its machine is gone, when the machine's tap goes away.
@usableFromInline
package final class CaptureEnd<State: Sendable, Payload: Sendable> {
  @usableFromInline let inbox: Inbox<State, Payload>
  // Safe: these are read and replaced whole on the machine's isolation, never lent, so there is
  // nothing for the dynamic exclusivity check to find.
  /// When the reducer of the step under way began; 0 when that is not measured.
  @exclusivity(unchecked) @usableFromInline var begun: UInt64 = 0
  /// Up to which look of the recorder's thread a step was measured.
  @exclusivity(unchecked) @usableFromInline var measuredAt = -1

  @inlinable
  init(_ inbox: Inbox<State, Payload>) {
    self.inbox = inbox
  }

  deinit {
    inbox.end()
  }

  /// Notes when the reducer begins.
  ///
  /// Of the steps between two looks of the recorder's thread, two milliseconds when it is busy, only
  /// the first is measured: asking the clock twice would cost more than all the rest.
  @inlinable
  @inline(__always)
  func begin(_ clock: RecorderClock) {
    let look = inbox.looks.load(ordering: .relaxed)
    begun = look == measuredAt ? 0 : clock.now
    measuredAt = look
  }

  /// How long the reducer took; 0 when that was not measured.
  @inlinable
  @inline(__always)
  func duration<Input>(until now: UInt64, of input: Input?) -> UInt64 {
    begun == 0 || input == nil ? 0 : max(1, now &- begun)
  }
}

extension Inbox {
  /// The tap that leaves a kernel's steps here; `payload` is what is kept of an input.
  ///
  /// Inlined where the machine is recorded: there its types are known, which makes it ten times as
  /// fast as through their metadata.
  @inlinable
  package func makeTap<Input>(
    _ clock: RecorderClock, _ payload: @escaping (Input) -> Payload
  ) -> Tap<State, Input> {
    let end = CaptureEnd(self)
    let slot = makeSlot(payload)
    return Tap(
      willHandle: { input in
        slot.note(input)
        end.begin(clock)
      },
      didHandle: { input, after, details in
        let now = clock.now
        slot.note(nil)
        end.inbox.push(
          input.map(payload), after: after, details, time: now,
          duration: end.duration(until: now, of: input))
      })
  }
}
