public import StatesCore

extension Registration {
  /// Makes the tap that writes a kernel's steps into the inbox. `payload` extracts what to keep of
  /// an input.
  ///
  /// Inlined at the recording call, where the types are known. That makes it ten times as fast as
  /// unspecialized code.
  @inlinable
  package func makeTap<Input>(_ payload: @escaping (Input) -> Payload) -> Tap<State, Input> {
    let writer = makeWriter()
    return Tap(
      willHandle: { input in
        if let input { writer.begin(payload(input)) } else { writer.cancel() }
      },
      didHandle: { input, after, details in
        writer.complete(input.map(payload))
        let now = writer.now()
        writer.finish(
          after, number: details.number, callSite: details.callSite,
          extra: StepExtra.extra(
            of: details, duration: input == nil ? 0 : writer.duration(until: now)),
          time: now, isReplaced: input == nil)
      },
      didHandlePlainStep: { _, after, number, cause, callSite in
        let now = writer.now()
        writer.finish(
          after, number: number, callSite: callSite,
          extra: StepExtra.extra(cause: cause, duration: writer.duration(until: now)), time: now)
      })
  }

  /// Makes the writer for the machine's steps.
  @usableFromInline
  func makeWriter() -> StepWriter<State, Payload> { StepWriter(self) }
}
