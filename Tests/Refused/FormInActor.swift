import StatesCore

actor Store {
  let form = StateForm(state: 0)

  func add() { form.apply { $0 += 1 } }
}

func fromElsewhere(_ store: Store) async {
  await store.add()
  await store.form.apply { $0 += 1 }  // refused: non-Sendable
}
