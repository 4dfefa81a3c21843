import StatesCore

/// A cart of about 1 KB, whose events lead to a known number of states: each of some lines has a count
/// up to a limit, and it may be a gift.
struct ExploredCart: Reducible, Codable, Hashable {
  struct Line: Codable, Hashable {
    var id: Int
    var name: String
    var note: String
    var cents: Int
    var count: Int
  }

  var lines: [Line] = (0..<9).map {
    Line(
      id: 100 + $0, name: "article \($0) of the catalog", note: "packed separately, if possible",
      cents: 995, count: 0)
  }
  var limit: Int
  var isGift = false
  var total = 0

  enum Event: Codable {
    case added(id: Int)
    case removed(id: Int)
    case wrapped(asGift: Bool)
  }

  static func reduce(state: ExploredCart, event: Event) -> ExploredCart {
    var next = state
    switch event {
    case .added(let id):
      guard let index = next.lines.firstIndex(where: { $0.id == id }),
        next.lines[index].count < next.limit
      else { return next }
      next.lines[index].count += 1
      next.total += next.lines[index].cents
    case .removed(let id):
      guard let index = next.lines.firstIndex(where: { $0.id == id }), next.lines[index].count > 0
      else { return next }
      next.lines[index].count -= 1
      next.total -= next.lines[index].cents
    case .wrapped(let asGift): next.isGift = asGift
    }
    return next
  }

  static var outputs: Outputs<ExploredCart> { Output("total", \.total) }

  /// The events of a recording; an exploration adds those with the ids of the first four lines.
  static let recorded = [
    #"{"added":{"id":105}}"#, #"{"added":{"id":106}}"#, #"{"removed":{"id":105}}"#,
    #"{"removed":{"id":106}}"#, #"{"wrapped":{"asGift":true}}"#, #"{"wrapped":{"asGift":false}}"#,
  ]
}
