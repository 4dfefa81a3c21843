import Synchronization

/// What a run does: a task that starts the loops, takes events, and shows states.
struct FeedbackEngine<State: Sendable, Event: Sendable> {
  typealias Moment = FeedbackMoment<State, Event>
  typealias Entry = FeedbackInbox<State, Event>.Entry

  /// A loop in this run, and those inside it who listen.
  private struct Part {
    let instance: LoopInstance<State, Event>
    let hub: FeedbackHub<State, Event>
  }

  let run: FeedbackRun<State, Event>

  private var system: FeedbackSystem<State, Event> { run.system }

  /// Runs until the task is cancelled or a loop stops it; nothing it started is left then.
  func run() async {
    // Not kept by the run: a tap may hold the run.
    let tap = system.makeTap?(run)
    run.isRecorded.store(tap != nil, ordering: .releasing)
    let parts = system.loops.map(makePart)
    let error = await withDiscardingTaskGroup(returning: (any Error)?.self) { group in
      defer {
        run.inbox.finish()
        for part in parts { part.hub.finish() }
        group.cancelAll()
      }
      do {
        try await drive(parts, tap, &group)
        return nil
      } catch {
        return Task.isCancelled ? nil : error
      }
    }
    tap?.didEnd(error)
    run.finish(error)
  }

  private func drive(
    _ parts: [Part], _ tap: FeedbackTap<State, Event>?, _ group: inout DiscardingTaskGroup
  ) async throws {
    for part in parts { await begin(part, in: &group) }
    var moment = Moment(state: try await loadState(or: system.initialState))
    tap?.didStart(moment.state, system.requests(in: moment))
    await run.outside.put(moment.state, buffer: system.options.states)
    await run.outside.waitUntilEmpty()
    await show(moment, to: parts, acts: !run.isHeld, &group)

    while let entry = await run.inbox.next() {
      switch entry.work {
      case .event(let event):
        if entry.isStale { continue }
        tap?.willHandle(event)
        let before = try await loadState(or: moment.state)
        moment = Moment(
          state: system.reduce(before, event), event: event, number: moment.number + 1)
        try await system.store?.store(moment.state)
        tap?.didHandle(
          event, before, moment.state, details(of: entry, number: moment.number),
          system.requests(in: moment))
        await show(moment, to: parts, acts: !entry.isHeld, &group)
        await run.outside.put(moment.state, buffer: system.options.states)
      case .restore(let state):
        let before = try await loadState(or: moment.state)
        moment = Moment(state: state, number: moment.number + 1)
        try await system.store?.store(state)
        tap?.didHandle(
          nil, before, state, details(of: entry, number: moment.number),
          system.requests(in: moment))
        await show(moment, to: parts, acts: false, &group)
        await run.outside.put(state, buffer: system.options.states)
      case .resumed:
        for part in parts { await act(on: moment, part, &group) }
      case .stop(let error):
        if entry.isStale { continue }
        run.report(error, of: entry.origin, stopsTheRun: true)
        throw error
      }
    }
  }

  /// Starts what a loop runs from the beginning, and keeps states for it until it listens or returns.
  private func begin(_ part: Part, in group: inout DiscardingTaskGroup) async {
    let works = part.instance.begin()
    if works.isEmpty { part.hub.stopKeeping() }
    await launch(
      works.map { work in
        LoopWork(scope: work.scope) { [hub = part.hub] in
          await work.perform()
          hub.stopKeeping()
        }
      }, in: &group)
  }

  /// Gives a state to all loops, in their order.
  private func show(
    _ moment: Moment, to parts: [Part], acts: Bool, _ group: inout DiscardingTaskGroup
  ) async {
    for part in parts {
      await part.hub.publish(moment)
      if acts { await act(on: moment, part, &group) }
    }
  }

  /// Lets a loop start and cancel effects: new ones have started before old ones are cancelled.
  private func act(
    on moment: Moment, _ part: Part, _ group: inout DiscardingTaskGroup
  ) async {
    let plan = part.instance.plan(moment)
    for deliver in plan.deliveries { deliver() }
    await launch(plan.launches, in: &group)
    for scope in plan.closings { scope.close() }
  }

  /// Starts work, and waits until its bodies were called.
  private func launch(_ works: [LoopWork], in group: inout DiscardingTaskGroup) async {
    for work in works { group.addTask { await work.perform() } }
    for work in works { await work.scope.waitUntilBegun() }
  }

  private func loadState(or state: State?) async throws -> State {
    if let state, system.store == nil { return state }
    guard let store = system.store else {
      preconditionFailure("A system has an initial state or a store; both initialisers see to it.")
    }
    return try await store.load()
  }

  private func details(of entry: Entry, number: Int) -> StepDetails {
    StepDetails(
      number: number, cause: entry.cause, origin: entry.origin, callSite: entry.callSite,
      error: nil, isHeld: entry.isHeld)
  }

  private func makePart(_ loop: Feedback<State, Event>) -> Part {
    let hub = FeedbackHub<State, Event>()
    let origin = Origin.loop(loop.name)
    let context = LoopContext<State, Event>(
      name: loop.name, states: FeedbackStates(hub), clock: system.clock,
      send: { [run] event, scope, callSite in
        // What could only be dropped later takes no room in the queue.
        guard scope.isOpen else { return }
        var entry = Entry(work: .event(event), origin: origin, scope: scope, callSite: callSite)
        entry.cause = run.currentCause ?? scope.cause
        _ = run.answer(to: entry)
      },
      report: { [run] error, scope in
        if let scope {
          run.inbox.insert(Entry(work: .stop(error), origin: origin, scope: scope))
        } else {
          run.report(error, of: origin, stopsTheRun: false)
        }
      },
      cause: { [run] step in
        run.isRecorded.load(ordering: .acquiring)
          ? Cause(machine: run.identity, number: step) : nil
      },
      count: { [run] in run.countBodies($0) })
    return Part(instance: loop.makeInstance(context), hub: hub)
  }
}
