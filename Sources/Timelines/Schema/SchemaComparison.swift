import JSONCore

/// Finds the differences of two schemas.
struct SchemaComparison {
  let recorded: EventSchema
  let current: EventSchema

  private(set) var findings: [Compatibility.Finding] = []

  /// Pairs of types that were compared or are in progress, which stops recursion.
  private var visited: Set<[String]> = []

  init(recorded: EventSchema, current: EventSchema) {
    self.recorded = recorded
    self.current = current
  }

  /// Compares all cases.
  mutating func run() {
    if recorded.encoding != current.encoding, recorded.isComplete, current.isComplete {
      record(
        .impossible, [],
        "Events are written in another way: \(recorded.encoding.rawValue) then, "
          + "\(current.encoding.rawValue) now.")
    }
    compare(recorded.cases, current.cases, [], of: "", isComplete: current.isComplete)
  }

  private mutating func record(_ grade: Compatibility.Grade, _ path: [String], _ text: String) {
    findings.append(Compatibility.Finding(grade: grade, path: path, text: text))
  }

  private mutating func compare(
    _ old: [EventSchema.Case], _ new: [EventSchema.Case], _ path: [String], of owner: String,
    isComplete: Bool
  ) {
    for one in old {
      let path = path + [one.name]
      guard let other = new.first(where: { $0.name.utf8.elementsEqual(one.name.utf8) }) else {
        if isComplete {
          record(.impossible, path, "The case “\(one.name)”\(owner) is gone.")
        } else {
          record(.risky, path, "The case “\(one.name)”\(owner) is not known today.")
        }
        continue
      }
      let isCertain = one.swift != nil && other.swift != nil
      compare(one.payload, other.payload, path, of: "“\(one.name)”", isGuess: !isCertain)
    }
  }

  private mutating func compare(
    _ old: [EventSchema.Field], _ new: [EventSchema.Field], _ path: [String], of owner: String,
    isGuess: Bool
  ) {
    for field in old {
      let path = path + [field.key]
      guard let other = new.first(where: { $0.key.utf8.elementsEqual(field.key.utf8) }) else {
        record(
          .risky, path,
          "“\(field.key)” of \(owner) is gone: what was recorded there is not looked at.")
        continue
      }
      compare(
        field.shape, other.shape, path, of: "“\(field.key)” of \(owner)", isGuess: isGuess)
    }
    for field in new where !old.contains(where: { $0.key.utf8.elementsEqual(field.key.utf8) }) {
      let path = path + [field.key]
      if field.shape.isOptional {
        record(.risky, path, "“\(field.key)” of \(owner) is new: it is nil in recorded events.")
      } else if isGuess {
        record(
          .risky, path,
          "“\(field.key)” of \(owner) is new: recorded events lack it, which its type may allow.")
      } else {
        record(
          .impossible, path,
          "“\(field.key)” of \(owner) is new and not optional: recorded events lack it.")
      }
    }
  }

  private mutating func compare(
    _ old: EventSchema.Shape, _ new: EventSchema.Shape, _ path: [String], of owner: String,
    isGuess: Bool
  ) {
    if old.isOptional, !new.isOptional, new != .unknown {
      record(.risky, path, "\(owner) was optional and no longer is: events without it fail.")
    }
    let worst: Compatibility.Grade = isGuess ? .risky : .impossible
    switch (old.unwrapped, new.unwrapped) {
    case (.scalar(let kind, let type), .scalar(let other, let otherType)):
      compare((kind, type), (other, otherType), path, of: owner, worst)
    case (.scalar(.any, _), _), (_, .scalar(.any, _)):
      record(
        .risky, path, "\(owner) is read by code of its own, then or now: it cannot be compared.")
    case (.array(let old, _), .array(let new, _)):
      compare(old, new, path, of: "an element of \(owner)", isGuess: isGuess)
    case (.dictionary(let old, _), .dictionary(let new, _)):
      compare(old, new, path, of: "a value in \(owner)", isGuess: isGuess)
    case (.named(let old), .named(let new)):
      compare(old, new, path, of: owner, worst)
    case (let old, let new):
      record(worst, path, "\(owner) was \(name(old)) and is \(name(new)).")
    }
  }

  private mutating func compare(
    _ old: (kind: EventSchema.Shape.Kind, type: String?),
    _ new: (kind: EventSchema.Shape.Kind, type: String?), _ path: [String], of owner: String,
    _ worst: Compatibility.Grade
  ) {
    let change = "\(owner) was \(name(old)) and is \(name(new))"
    if old.kind == new.kind {
      guard let before = old.type, let now = new.type, before != now else { return }
      switch old.kind {
      case .any: record(.risky, path, "\(change): it cannot be compared.")
      case .int: record(.risky, path, "\(change): large numbers may not fit.")
      case .double: record(.risky, path, "\(change): numbers may be rounded.")
      default: return
      }
    } else if old.kind == .any || new.kind == .any {
      record(.risky, path, "\(change): it cannot be compared.")
    } else if old.kind == .int, new.kind == .double {
      record(.risky, path, "\(change): large numbers may be rounded.")
    } else if new.kind == .string, [.url, .uuid, .data].contains(old.kind) {
      record(.risky, path, "\(change): the text is kept, its meaning may not be.")
    } else {
      record(worst, path, "\(change).")
    }
  }

  private mutating func compare(
    _ old: String, _ new: String, _ path: [String], of owner: String,
    _ worst: Compatibility.Grade
  ) {
    guard visited.insert([old, new]).inserted else { return }
    guard let before = recorded.types[old], let now = current.types[new] else {
      if old != new {
        record(.risky, path, "\(owner) was \(old) and is \(new): it cannot be compared.")
      }
      return
    }
    switch (before.content, now.content) {
    case (.fields(let old), .fields(let fields)):
      compare(old, fields, path, of: new, isGuess: before.isGuess || now.isGuess)
    case (.cases(let old), .cases(let cases)):
      compare(old, cases, path, of: " of \(new)", isComplete: true)
    case (.values(let old), .values(let values)):
      for value in old where !values.contains(value) {
        let text = String(decoding: value.encoded(), as: UTF8.self)
        record(.impossible, path, "The value \(text) of \(new) is gone.")
      }
    default:
      record(worst, path, "\(owner) was \(old) and is \(new), which is written in another way.")
    }
  }

  private func name(_ scalar: (kind: EventSchema.Shape.Kind, type: String?)) -> String {
    scalar.type ?? scalar.kind.rawValue
  }

  private func name(_ shape: EventSchema.Shape) -> String {
    switch shape {
    case .scalar(let kind, let type): type ?? kind.rawValue
    case .array(_, let type): type ?? "array"
    case .dictionary(_, let type): type ?? "dictionary"
    case .optional(let shape): name(shape) + "?"
    case .named(let name): name
    }
  }
}
