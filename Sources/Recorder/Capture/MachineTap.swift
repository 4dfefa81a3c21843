public import StatesCore

/// Tells an inbox that its machine is gone, when the machine's tap goes away.
@usableFromInline
package final class CaptureEnd<State: Sendable, Payload: Sendable> {
  @usableFromInline let inbox: Inbox<State, Payload>
  /// When the reducer of the step under way began.
  @usableFromInline var begun: UInt64 = 0

  @inlinable
  init(_ inbox: Inbox<State, Payload>) {
    self.inbox = inbox
  }

  deinit {
    inbox.end()
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
        end.begun = clock.now
      },
      didHandle: { input, _, after, details in
        let now = clock.now
        slot.note(nil)
        end.inbox.push(
          CapturedStep(
            payload: input.map(payload), before: nil, after: after, details: details, time: now,
            duration: input == nil ? nil : now &- end.begun))
      })
  }
}
