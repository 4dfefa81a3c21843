import Testing

@testable import StatesCore

@Suite("Causes")
struct CauseTests {
  private func makeRecorded(_ log: @escaping (Cause?) -> Void) -> Kernel<Int, Int> {
    let kernel = Kernel<Int, Int>(0) { kernel, input in kernel.state + input }
    kernel.use { log($0.cause) }
    return kernel
  }

  @Test("what an observer sends, to this machine or another, is caused by the step it saw")
  func fromObservers() {
    var causes: [Cause?] = []
    let second = makeRecorded { causes.append($0) }
    let first = makeRecorded { causes.append($0) }
    first.observe(acts: true) { step in
      if step.number == 1 {
        first.send(1, at: CallSite())
        second.send(1, at: CallSite())
      }
      return true
    }
    first.send(1, at: CallSite())
    let cause = Cause(machine: first.identity, number: 1)
    #expect(causes == [nil, cause, cause])
    #expect(first.identity != second.identity)
    #expect(Cause.current == nil)
  }

  @Test("a machine that is not recorded passes on the current cause")
  func throughUnrecorded() {
    var causes: [Cause?] = []
    let last = makeRecorded { causes.append($0) }
    let middle = Kernel<Int, Int>(0) { kernel, input in kernel.state + input }
    let first = makeRecorded { _ in }
    first.observe(acts: true) { _ in
      middle.send(1, at: CallSite())
      return true
    }
    middle.observe(acts: true) { _ in
      last.send(1, at: CallSite())
      return true
    }
    first.send(1, at: CallSite())
    #expect(causes == [Cause(machine: first.identity, number: 1)])
  }

  @Test("tasks that observers and effects start inherit the cause")
  func tasksThatObserversAndEffectsStartInheritCause() async {
    var tasks: [Task<Cause?, Never>] = []
    let kernel = Kernel<Int, Int>(0) { kernel, input in
      kernel.perform { tasks.append(Task { Cause.current }) }
      return kernel.state + input
    }
    kernel.use { _ in }
    kernel.observe(acts: true) { _ in
      tasks.append(Task { Cause.current })
      return true
    }
    kernel.send(1, at: CallSite())
    for task in tasks {
      #expect(await task.value == Cause(machine: kernel.identity, number: 1))
    }
    #expect(tasks.count == 2)
  }

  @Test("an input that waited keeps the cause it was sent with")
  func queuedInputKeepsItsCause() {
    var causes: [Cause?] = []
    let kernel = makeRecorded { causes.append($0) }
    kernel.hold(.queue(limit: 1))
    let cause = Cause(machine: 5, number: 3)
    Cause.with(cause) { _ = kernel.send(1, at: CallSite()) }
    kernel.resume()
    #expect(causes == [cause])
  }
}
