import JSONCore

extension EventSchema {
  /// The schema of events of many types that are recorded under the names of their types.
  ///
  /// An enum is recorded under its name and the case's name: `Counter.increase`.
  package init(ofNamed types: [(name: String, type: Any.Type)]) {
    var builder = SchemaBuilder()
    var cases: [Case] = []
    for (name, type) in types {
      guard case .named(let key) = builder.shape(type), let found = builder.types[key] else {
        cases.append(Case(name: name))
        continue
      }
      switch found.content {
      case .fields(let fields): cases.append(Case(name: name, payload: fields))
      case .cases(let inner):
        cases += inner.map { Case(name: "\(name).\($0.name)", payload: $0.payload) }
      case .values(let values):
        cases += values.compactMap(\.string).map { Case(name: "\(name).\($0)") }
      }
    }
    self.init(encoding: .keyed, isComplete: true, cases: cases, types: builder.types)
  }
}
