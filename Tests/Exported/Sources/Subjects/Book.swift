import Replaying
import StatesCore

/// A form: a reducer, closures, undo.
struct Book: Replayable, Codable, Sendable {
  var names: [String] = []
  var term = ""
  var count = 0

  enum Event: Codable, Sendable {
    case added(String)
    case renamed(at: Int, to: String)
    case removed(at: Int)
    case searched(String)
    case counted(by: Int)
    case undo
  }

  static func reduce(state: Book, event: Event) -> Book {
    let m = Mutant.of("book")
    var book = state
    switch event {
    case .added(let name):
      if m == 1 { book.names.insert(name, at: 0) } else { book.names.append(name) }
      if m == 2 { book.term = name }
      if m == 3 { book.names.append(name.uppercased()) }
    case .renamed(let index, let name):
      if m == 4 { break }
      book.names[m == 5 ? 0 : index] = name
    case .removed(let index):
      if m == 6 { book.names.removeLast() } else { book.names.remove(at: index) }
    case .searched(let text): book.term = m == 7 ? text.lowercased() : text
    case .counted(let by): book.count += m == 8 ? by + 1 : m == 9 ? -by : by
    case .undo: book.term = m == 10 ? "x" : ""
    }
    return book
  }

  static func make() -> StateForm<Book, Event> {
    StateForm(state: Book(), history: \.names, reducer: reduce)
  }
}
