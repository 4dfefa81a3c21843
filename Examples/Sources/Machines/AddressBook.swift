import Replaying
import StatesCore

/// A form with contacts, a search, and undo.
package struct AddressBook: Replayable, Codable, Equatable, Sendable {
  /// A person in the address book.
  package struct Contact: Codable, Equatable, Identifiable, Sendable {
    package var id: Int
    package var name: String
    package var phone: String
  }

  /// The form's state, and its part that undo restores.
  package struct Content: Codable, Equatable, Sendable {
    package var contacts: [Contact] = []
    var nextID = 1
  }

  package var content = Content()
  package var searchTerm = ""

  package init() {}

  /// An action of the user.
  package enum Event: Codable, Equatable, Sendable {
    case added(name: String, phone: String)
    case renamed(id: Int, to: String)
    case removed(id: Int)
    case searched(String)
  }

  package static func reduce(state: AddressBook, event: Event) -> AddressBook {
    var book = state
    switch event {
    case .added(let name, let phone):
      book.content.contacts.append(Contact(id: book.content.nextID, name: name, phone: phone))
      book.content.nextID += 1
    case .renamed(let id, let name):
      if let index = book.content.contacts.firstIndex(where: { $0.id == id }) {
        book.content.contacts[index].name = name
      }
    case .removed(let id): book.content.contacts.removeAll { $0.id == id }
    case .searched(let text): book.searchTerm = text
    }
    return book
  }

  /// An empty book. Undo restores the contacts, but not the search.
  package static func make() -> StateForm<AddressBook, Event> {
    StateForm(state: AddressBook(), history: \.content, reducer: reduce)
  }
}
