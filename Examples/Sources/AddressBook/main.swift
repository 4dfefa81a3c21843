import Machines
import Recorder
import StatesCore

// Shows undo in a recording.
ReducerHost.runIfAsked(AddressBook.self)
let recorder = StateRecorder(app: "AddressBook")
let book = recorder.record(AddressBook.make(), as: "book", madeBy: AddressBook.self)

let pace = Pace(.milliseconds(50))
await keep(book, pace, times: 40)
for contact in book.state.content.contacts { print(contact.name, contact.phone) }
recorder.close()
