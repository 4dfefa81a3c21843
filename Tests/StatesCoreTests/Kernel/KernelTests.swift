import Testing

@testable import StatesCore

/// A machine over integers for tests: inputs are added, 0 comes to nothing.
private func makeKernel(_ initial: Int = 0) -> Kernel<Int, Int> {
  Kernel(initial) { kernel, input in input == 0 ? nil : kernel.state + input }
}

@Suite("The kernel")
struct KernelTests {
  struct Broken: Error, Equatable {}

  @Test("a step holds input, states, number, cause, origin and call site")
  func stepIsAValue() throws {
    let kernel = makeKernel()
    var steps: [Step<Int, Int>] = []
    kernel.use { steps.append($0) }
    let cause = Cause(machine: 99, number: 7)
    let site = CallSite(file: "App/Page.swift", line: 12)
    #expect(kernel.send(5, at: site, origin: .timer, cause: cause) == .handled)
    let step = try #require(steps.first)
    #expect(step.input == 5)
    #expect((step.before, step.after, step.number) == (0, 5, 1))
    #expect(step.cause == cause)
    #expect(step.origin == .timer)
    #expect(step.callSite.description == "App/Page.swift:12")
    #expect(!step.isHeld && !step.isRestored && step.error == nil)
  }

  @Test("middleware sees every step, restored ones too, in the order of registration")
  func middlewareOrder() {
    let kernel = makeKernel()
    var seen: [String] = []
    kernel.observe(acts: false) { _ in
      seen.append("observer")
      return true
    }
    kernel.use { _ in seen.append("first") }
    let second = kernel.use { _ in seen.append("second") }
    kernel.send(1, at: CallSite())
    kernel.restore(9, at: CallSite())
    #expect(seen == ["first", "second", "observer", "first", "second", "observer"])
    second.cancel()
    kernel.send(1, at: CallSite())
    #expect(seen.suffix(2) == ["first", "observer"])
    #expect(kernel.checkInvariants() == [])
  }

  @Test("the input being handled stays in a field until it is done")
  func handlingField() {
    var during: [Int?] = []
    let kernel = Kernel<Int, Int>(0) { kernel, input in
      during.append(kernel.handling)
      return kernel.state + input
    }
    kernel.observe(acts: false) { _ in
      during.append(kernel.handling)
      return true
    }
    kernel.send(3, at: CallSite())
    #expect(during == [3, 3])
    #expect(kernel.handling == nil)
  }

  @Test("the tap gets the input before and after it is handled, and restores without one")
  func tapGetsInputBeforeAndAfterItIsHandled() {
    let kernel = makeKernel()
    var seen: [String] = []
    kernel.tap = Tap(
      willHandle: { seen.append("will \($0.map(String.init) ?? "nothing")") },
      didHandle: { input, after, details in
        seen.append("did \(input ?? -1): \(after) #\(details.number)")
      })
    kernel.send(2, at: CallSite())
    kernel.send(0, at: CallSite())
    kernel.restore(8, at: CallSite())
    #expect(seen == ["will 2", "did 2: 2 #1", "will 0", "will nothing", "did -1: 8 #2"])
    kernel.tap = nil
    kernel.send(1, at: CallSite())
    #expect(seen.count == 5)
    #expect(kernel.checkInvariants() == [])
  }

  @Test("an input without effect makes no step and is refused")
  func inputWithoutEffectMakesNoStep() {
    let kernel = makeKernel()
    var count = 0
    kernel.use { _ in count += 1 }
    #expect(kernel.send(0, at: CallSite()) == .refused)
    #expect((count, kernel.number, kernel.state) == (0, 0, 0))
    #expect(kernel.checkInvariants() == [])
  }

  @Test("effects run after every observer has seen the step, before the next input")
  func effectsRunAfterEveryObserverHasSeenStep() {
    var seen: [String] = []
    let kernel = Kernel<Int, Int>(0) { kernel, input in
      kernel.perform {
        seen.append("effect of \(input)")
        if input == 1 { kernel.send(2, at: CallSite()) }
        seen.append("effect of \(input) is over")
      }
      return kernel.state + input
    }
    kernel.observe(acts: false) { step in
      seen.append("observer of \(step.number)")
      return true
    }
    kernel.send(1, at: CallSite())
    #expect(
      seen == [
        "observer of 1", "effect of 1", "effect of 1 is over",
        "observer of 2", "effect of 2", "effect of 2 is over",
      ])
  }

  @Test("effects do not run for inputs dispatched into a held machine")
  func effectsWhileHeld() {
    var performed = 0
    let kernel = Kernel<Int, Int>(0) { kernel, input in
      kernel.perform { performed += 1 }
      return input
    }
    kernel.hold(.refuse)
    #expect(kernel.send(1, at: CallSite()) == .refused)
    #expect(kernel.send(1, at: CallSite(), evenWhileHeld: true) == .handled)
    #expect((kernel.state, performed) == (1, 0))
    kernel.resume()
    #expect(performed == 0)
    #expect(kernel.checkInvariants() == [])
  }

  @Test("a reported error is in the step, and the first one is for the outermost sender")
  func reportedErrorIsInStep() {
    let kernel = Kernel<Int, Int>(0) { kernel, input in
      if input < 0 { kernel.fail(Broken()) }
      return kernel.state + input
    }
    var errors: [Bool] = []
    kernel.use { errors.append($0.error is Broken) }
    kernel.observe(acts: true) { step in
      if step.number == 1 { #expect(kernel.send(-1, at: CallSite()) == .queued) }
      return true
    }
    kernel.send(5, at: CallSite())
    #expect(errors == [false, true])
    #expect(kernel.state == 4)
    #expect(kernel.consumeFailure() is Broken)
    #expect(kernel.consumeFailure() == nil)
  }

  @Test("a transition can complete the input that the step holds")
  func completedInput() {
    let kernel = Kernel<Int, String>(0) { kernel, input in
      kernel.handling = input + "!"
      return 1
    }
    var inputs: [String?] = []
    kernel.use { inputs.append($0.input) }
    kernel.send("undo", at: CallSite())
    #expect(inputs == ["undo!"])
  }

  @Test("a held machine can step through queued inputs without observers that act")
  func heldMachineStepsThroughQueuedInputs() {
    let kernel = makeKernel()
    var acted = 0
    kernel.observe(acts: true) { _ in
      acted += 1
      return true
    }
    kernel.hold(.queue(limit: 5))
    for _ in 1...3 { #expect(kernel.send(1, at: CallSite()) == .queued) }
    #expect(kernel.stepWaiting() && kernel.state == 1 && kernel.waitingCount == 2)
    kernel.restore(100, at: CallSite())
    kernel.resume()
    #expect((kernel.state, acted) == (102, 2))
    #expect(!kernel.stepWaiting())
    #expect(kernel.checkInvariants() == [])
  }

  @Test("thousands of inputs sent from inside observers need no stack, and keep their order")
  func noRecursion() {
    let kernel = makeKernel()
    var numbers: [Int] = []
    kernel.observe(acts: true) { step in
      numbers.append(step.number)
      if step.number < 50_000 { kernel.send(1, at: CallSite()) }
      return true
    }
    kernel.send(1, at: CallSite())
    #expect(numbers == Array(1...50_000))
  }

  @Test("an observer that is released while it is canceled may call the machine")
  func releasedObserverMayCallMachine() {
    final class Caller {
      let kernel: Kernel<Int, Int>
      init(_ kernel: Kernel<Int, Int>) { self.kernel = kernel }
      deinit { kernel.send(1, at: CallSite()) }
    }
    let kernel = makeKernel()
    var caller: Caller? = Caller(kernel)
    let subscription = kernel.observe(acts: false) { [caller] _ in caller != nil }
    caller = nil
    subscription.cancel()
    #expect(kernel.state == 1)
    #expect(kernel.checkInvariants() == [])
  }
}
