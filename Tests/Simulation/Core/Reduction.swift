extension Simulation {
  /// A smaller plan that breaks the same rule, and what came out with it.
  static func reduce(
    seed: UInt64, _ plan: Plan, rule: String, runs limit: Int = 60
  ) -> (plan: Plan, result: Result, runs: Int) {
    var best = plan
    var result = run(seed: seed, plan)
    var runs = 1
    var isSmaller = true
    while isSmaller, runs < limit {
      isSmaller = false
      for candidate in best.smaller where runs < limit {
        runs += 1
        let tried = run(seed: seed, candidate)
        guard tried.violation?.rule == rule else { continue }
        (best, result, isSmaller) = (candidate, tried, true)
        break
      }
    }
    return (best, result, runs)
  }
}

extension Plan {
  /// Plans with one thing less, the largest things first.
  fileprivate var smaller: [Plan] {
    var plans: [Plan] = []
    func add(_ change: (inout Plan) -> Void) {
      var plan = self
      change(&plan)
      plans.append(plan)
    }
    if idle > 0 { add { $0.idle = 0 } }
    for index in recorders.indices where recorders.count > 1 {
      add { $0.recorders.remove(at: index) }
    }
    for index in inspectors.indices { add { $0.inspectors.remove(at: index) } }
    for index in faults.indices { add { $0.faults.remove(at: index) } }
    for index in recorders.indices where recorders[index].events > 4 {
      add { $0.recorders[index].events /= 2 }
    }
    for index in inspectors.indices {
      if inspectors[index].scrubs > 0 { add { $0.inspectors[index].scrubs = 0 } }
      if inspectors[index].forks > 0 { add { $0.inspectors[index].forks -= 1 } }
      if inspectors[index].showsEntries { add { $0.inspectors[index].showsEntries = false } }
      if inspectors[index].proves { add { $0.inspectors[index].proves = false } }
      if inspectors[index].imports { add { $0.inspectors[index].imports = false } }
      if inspectors[index].holds { add { $0.inspectors[index].holds = false } }
    }
    for index in recorders.indices where recorders[index].moreMachines > 0 {
      add { $0.recorders[index].moreMachines -= 1 }
    }
    for index in recorders.indices where recorders[index].host != .none {
      add { $0.recorders[index].host = .none }
    }
    return plans
  }

  /// The plan as text, one item per line.
  var lines: [String] {
    recorders.map { recorder in
      "\(recorder.name): \(recorder.isRemote ? "over TCP" : "by socket"), \(recorder.events) events, "
        + "keyframe every \(recorder.keyframeEvery), outbox of \(recorder.outboxBytes) B, "
        + "host \(recorder.host)\(recorder.closes ? ", closes" : "")"
        + (recorder.moreMachines > 0
          ? ", \(recorder.moreMachines + 1) machines in \(recorder.places) places" : "")
    }
      + inspectors.map { inspector in
        "\(inspector.name): \(inspector.scrubs) looks, \(inspector.forks) forks"
          + (inspector.showsEntries ? ", shows entries" : "")
          + (inspector.proves ? ", verifies" : "") + (inspector.imports ? ", imports" : "")
          + (inspector.holds ? ", holds" : "") + (inspector.deletes ? ", deletes" : "")
      }
      + faults.map { "at \(Double($0.time) / 1_000_000) s: \($0.kind)" }
      + (idle > 0 ? ["idle for \(idle / 1_000_000) s"] : [])
  }
}
