import StatesCore

/// A simulated user who edits addresses, and undoes changes.
@MainActor
package func keep(
  _ book: StateForm<AddressBook, AddressBook.Event>, _ pace: Pace, times: Int
) async {
  let names = ["Ada", "Grace", "Barbara", "Radia", "Frances", "Karen"]
  for round in 0..<times {
    await pace.rest()
    let ids = book.state.content.contacts.map(\.id)
    switch pace.pick(7) {
    case 0 where !ids.isEmpty: book.apply(.removed(id: pace.pick(of: ids)))
    case 1 where !ids.isEmpty:
      book.apply(.renamed(id: pace.pick(of: ids), to: pace.pick(of: names) + " \(round)"))
    case 2: book.apply(.searched(String(pace.pick(of: names).prefix(2))))
    case 3: book.undo()
    case 4: book.redo()
    default:
      book.apply(.added(name: pace.pick(of: names), phone: "+49 30 \(1000 + pace.pick(9000))"))
    }
  }
}
