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
          after: after, number: details.number, callSite: details.callSite,
          extra: StepExtra.extra(of: details), time: now,
          duration: input == nil ? 0 : end.duration(until: now), isReplaced: input == nil)
      },
      didHandlePlainly: { after, number, cause, callSite in
        let now = end.now()
        end.finish(
          after: after, number: number, callSite: callSite,
          extra: cause.map { StepExtra(cause: $0) }, time: now, duration: end.duration(until: now))
      })
  }

  /// The end of the inbox that a machine leaves its steps at.
  @usableFromInline
  func makeEnd() -> CaptureEnd<State, Payload> { CaptureEnd(self) }
}
