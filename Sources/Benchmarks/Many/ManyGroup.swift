extension Group {
  /// Many recorders, timelines, and inspectors at one daemon.
  static let many = Group(
    name: "many",
    summary: "a thousand recorders, a hundred thousand timelines, a hundred inspectors",
    metrics: ManyRecorders.metrics + ManyTimelines.metrics + ManyFollowers.metrics
  ) { measure in
    var values = try ManyRecorders.measure(isQuick: measure.isQuick)
    values.merge(try ManyFollowers.measure(isQuick: measure.isQuick)) { $1 }
    values.merge(try ManyTimelines.measure(isQuick: measure.isQuick)) { $1 }
    return values
  }
}
