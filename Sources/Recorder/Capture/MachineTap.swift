public import StatesCore

extension Admission {
  /// The tap that leaves a kernel's steps here; `payload` is what is kept of an input.
  ///
  /// Inlined where the machine is recorded: there its types are known, which makes it ten times as
  /// fast as through their metadata.
  @inlinable
  package func makeTap<Input>(_ payload: @escaping (Input) -> Payload) -> Tap<State, Input> {
    let end = makeEnd()
    return Tap(
      willHandle: { input in
        if let input { end.begin(payload(input)) } else { end.cancel() }
      },
      didHandle: { input, after, details in
        end.complete(input.map(payload))
        let now = end.now()
        end.finish(
          after, number: details.number, callSite: details.callSite,
          extra: StepExtra.extra(
            of: details, duration: input == nil ? 0 : end.duration(until: now)),
          time: now, isReplaced: input == nil)
      },
      didHandlePlainStep: { _, after, number, cause, callSite in
        let now = end.now()
        end.finish(
          after, number: number, callSite: callSite,
          extra: StepExtra.extra(cause: cause, duration: end.duration(until: now)), time: now)
      })
  }

  /// The end of the inbox that a machine leaves its steps at.
  @usableFromInline
  func makeEnd() -> CaptureEnd<State, Payload> { CaptureEnd(self) }
}
