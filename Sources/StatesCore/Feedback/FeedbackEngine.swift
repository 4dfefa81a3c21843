import Synchronization

/// The work of a run: a task that starts the loops, handles events, and publishes states.
struct FeedbackEngine<State: Sendable, Event: Sendable> {
  typealias Moment = FeedbackMoment<State, Event>
  typealias Entry = FeedbackInbox<State, Event>.Entry

  /// A loop in this run, and the hub of its consumers.
  private struct RunningLoop {
    let instance: LoopInstance<State, Event>
    let hub: FeedbackHub<State, Event>
  }

  let run: FeedbackRun<State, Event>

  private var system: FeedbackSystem<State, Event> { run.system }

  /// Runs until the task is canceled or a loop stops it; by then everything it started has ended.
  func run() async {
    // The run does not store the tap, because a tap may hold the run.
    let tap = system.makeTap?(run)
    run.isRecorded.store(tap != nil, ordering: .releasing)
    let loops = system.loops.map(makeRunningLoop)
    let error = await withDiscardingTaskGroup(returning: (any Error)?.self) { group in
      defer {
        run.inbox.finish()
        for loop in loops { loop.hub.finish() }
        group.cancelAll()
      }
      do {
        try await drive(loops, tap, &group)
        return nil
      } catch {
        return Task.isCancelled ? nil : error
      }
    }
    tap?.didEnd(error)
    run.finish(error)
  }

  private func drive(
    _ loops: [RunningLoop], _ tap: FeedbackTap<State, Event>?, _ group: inout DiscardingTaskGroup
  ) async throws {
    for loop in loops { await begin(loop, in: &group) }
    var moment = Moment(state: try await loadState(or: system.initialState))
    tap?.didStart(moment.state, system.requests(in: moment))
    await run.outside.put(moment.state, buffer: system.options.states)
    await run.outside.waitUntilEmpty()
    await show(moment, to: loops, acts: !run.isHeld, &group)

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
        await show(moment, to: loops, acts: !entry.isHeld, &group)
        await run.outside.put(moment.state, buffer: system.options.states)
      case .restore(let state):
        let before = try await loadState(or: moment.state)
        moment = Moment(state: state, number: moment.number + 1)
        try await system.store?.store(state)
        tap?.didHandle(
          nil, before, state, details(of: entry, number: moment.number),
          system.requests(in: moment))
        await show(moment, to: loops, acts: false, &group)
        await run.outside.put(state, buffer: system.options.states)
      case .resumed:
        for loop in loops { await act(on: moment, loop, &group) }
      case .stop(let error):
        if entry.isStale { continue }
        run.report(error, of: entry.origin, stopsTheRun: true)
        throw error
      }
    }
  }

  /// Starts a loop, and buffers states for it until it listens or returns.
  private func begin(_ loop: RunningLoop, in group: inout DiscardingTaskGroup) async {
    let works = loop.instance.begin()
    if works.isEmpty { loop.hub.stopBuffering() }
    await launch(
      works.map { work in
        LoopWork(scope: work.scope) { [hub = loop.hub] in
          await work.perform()
          hub.stopBuffering()
        }
      }, in: &group)
  }

  /// Publishes a state to all loops, in their order.
  private func show(
    _ moment: Moment, to loops: [RunningLoop], acts: Bool, _ group: inout DiscardingTaskGroup
  ) async {
    for loop in loops {
      await loop.hub.publish(moment)
      if acts { await act(on: moment, loop, &group) }
    }
  }

  /// Starts and cancels a loop's effects: new ones have started before old ones are canceled.
  private func act(
    on moment: Moment, _ loop: RunningLoop, _ group: inout DiscardingTaskGroup
  ) async {
    let plan = loop.instance.plan(moment)
    for deliver in plan.deliveries { deliver() }
    await launch(plan.launches, in: &group)
    for scope in plan.closings { scope.close() }
  }

  /// Starts work, and waits until its bodies have been called.
  private func launch(_ works: [LoopWork], in group: inout DiscardingTaskGroup) async {
    for work in works { group.addTask { await work.perform() } }
    for work in works { await work.scope.waitUntilBegun() }
  }

  private func loadState(or state: State?) async throws -> State {
    if let state, system.store == nil { return state }
    guard let store = system.store else {
      preconditionFailure("A system has an initial state or a store; every initializer sets one.")
    }
    return try await store.load()
  }

  private func details(of entry: Entry, number: Int) -> StepDetails {
    StepDetails(
      number: number, cause: entry.cause, origin: entry.origin, callSite: entry.callSite,
      error: nil, isHeld: entry.isHeld)
  }

  private func makeRunningLoop(_ loop: Feedback<State, Event>) -> RunningLoop {
    let origin = Origin.loop(loop.name)
    let hub = FeedbackHub<State, Event> { [run] missed in
      run.report(FeedbackError.listenedTooLate(missed: missed), of: origin, stopsTheRun: false)
    }
    let context = LoopContext<State, Event>(
      name: loop.name, states: FeedbackStates(hub), clock: system.clock,
      send: { [run] event, scope, callSite in
        // An event that would be dropped later must not take space in the queue.
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
    return RunningLoop(instance: loop.makeInstance(context), hub: hub)
  }
}
