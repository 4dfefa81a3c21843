import StatesCore

struct Broken: Error {}

func observe(_ form: StateForm<Int, Never>) {
  form.react(to: { $0 > 1 ? $0 : nil }) { (_: Int) in throw Broken() }  // refused: throwing
}

func change(_ form: StateForm<Int, Never>) {
  form.apply { (_: inout Int) in throw Broken() }  // refused: throwing
}
