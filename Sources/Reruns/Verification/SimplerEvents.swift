internal import JSONCore

/// Simpler payloads for an event, the simplest first.
///
/// The event keeps its name; the variants use values that a reader understands at once: nothing,
/// zero, false, an empty text or list.
enum SimplerEvents {
  /// The maximum number of variants: a payload of megabytes is not reduced to the last byte.
  private static let limit = 256

  /// Variants of an event, each with one change.
  static func variants(of event: JSON) -> [JSON] {
    var found: [JSON] = []
    let keep = { (variant: JSON) in if found.count < limit { found.append(variant) } }
    guard case .object(let members) = event, members.count == 1,
      let payload = members.first(where: { _ in true })
    else {
      // An event of another shape is its own payload; its name is in `type`.
      visit(event, keep)
      return found
    }
    visit(payload.value) { simpler in
      var changed = members
      changed[payload.key] = simpler
      keep(.object(changed))
    }
    return found
  }

  private static func visit(_ value: JSON, _ emit: (JSON) -> Void) {
    switch value {
    case .null: return
    case .bool(let bool): if bool { emit(.bool(false)) }
    case .number(let number): if number.int != 0 { emit(.number(JSON.Number(0 as Int64))) }
    case .string(let text): if !text.isEmpty { emit(.string("")) }
    case .array(let elements):
      guard !elements.isEmpty else { return }
      emit(.array([]))
      if elements.count > 1 {
        emit(.array(Array(elements.prefix(elements.count / 2))))
        emit(.array(Array(elements.suffix(elements.count / 2))))
      }
      for index in elements.indices {
        visit(elements[index]) { simpler in
          var changed = elements
          changed[index] = simpler
          emit(.array(changed))
        }
      }
    case .object(let members):
      for member in members where member.key != "type" {
        var fewer = members
        fewer[member.key] = nil
        emit(.object(fewer))
        visit(member.value) { simpler in
          var changed = members
          changed[member.key] = simpler
          emit(.object(changed))
        }
      }
    }
  }
}
