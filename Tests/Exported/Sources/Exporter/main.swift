import Foundation
import JSONCore
import Recorder
import StatesCore
import TestSource

@testable import Subjects

// Records a session with each machine, and writes tests of it: every kind of test with every
// assertion, into the folder that is given. As a host it computes branches of what it recorded.

ReducerHost.runIfAsked(
  Checkout.self, Book.self, Flow.self, Panel.self, Search.self, BasketRecording.self)

let hostile = [
  ##"say "no" \(exit(1)) \#(exit(1)) */ // "# "##, "a\nb\r\nc\t\0", "\u{202e}fdp.exe\u{2066}",
  "é 😀 e\u{301}",
  "\"\"\" + evil() + \"\"\"",
]

@MainActor
func record(into memory: MemorySink) async throws {
  var options = RecorderOptions()
  options.destinations = [.memory(memory)]
  let recorder = StateRecorder(app: "Exporter", options: options)

  let checkout = recorder.record(Machine(Checkout()), as: "checkout")
  checkout.send(.added(.init(id: 1, name: "Pen", cents: 250)))
  checkout.send(.added(.init(id: 2, name: "Ink", cents: 899)))
  checkout.send(.chose(.post(to: "Alexanderplatz 1", isFast: true)))
  checkout.send(.noted(["gift": "yes"]))
  for (index, text) in hostile.enumerated() { checkout.send(.noted(["\(index)": text, text: ""])) }
  checkout.send(.discounted(by: 0.25))
  checkout.send(.removed(id: 1))
  checkout.send(.added(.init(id: 3, name: "Paper", cents: 1_200)))
  checkout.send(.kept(ids: [2, 3]))
  checkout.send(.chose(nil))
  checkout.send(.kept(ids: [3]))
  checkout.send(.paid)

  let book = recorder.record(Book.make(), as: "book", madeBy: Book.self)
  book.apply(.added("Ada"))
  book.apply(.added("Grace"))
  book.apply(.searched("Gr"))
  book.apply(.renamed(at: 1, to: hostile[0]))
  book.apply(.counted(by: 3))
  book.apply(.removed(at: 0))
  book.undo()
  book.apply(.undo)

  let flow = recorder.record(try Flow.make(), as: "flow", madeBy: Flow.self)
  try flow.start()
  try flow.send("signIn", "Ada")
  try flow.send("rejected")
  try flow.send("signIn", hostile[1])
  try flow.send("accepted")
  try flow.send("open", 7)
  try flow.send("back")
  try flow.send("open", 8)
  try flow.send("signOut")
  try flow.send("signIn", "Bo")
  try flow.send("expired")

  let panel = recorder.record(Panel(), as: "panel")
  panel.state.apply { $0.awaiting(with: "x") }.apply { $0.awaiting(with: hostile[2]) }
  panel.state.apply { $0.searching(for: "bus", page: 2) }.apply { $0.showing(["M41", "100"]) }
  panel.state.apply { $0.awaiting(with: "y") }.apply { $0.showing([]) }
  panel.state.apply { $0.locked() }

  let search = recorder.record(Search.make(), as: "search", madeBy: Search.self)
  let run = search.makeRun()
  let events: [Search.Event] = [
    .typed("bus"), .loaded(["M41", hostile[3]], hasMore: true), .reachedEnd,
    .loaded(["100"], hasMore: true), .reachedEnd, .failed("no network"), .reachedEnd,
    .loaded(["200"], hasMore: false), .reachedEnd, .typed("tram"), .typed(""), .failed("the end"),
  ]
  for event in events { run.send(event) }
  for try await state in run where state.failure == "the end" { break }

  let reduce = recorder.wrap(
    Basket.reduce, as: "basket", outputs: BasketRecording.outputs, madeBy: BasketRecording.self)
  var basket = Basket()
  let actions: [Basket.Action] = [
    .used(coupon: "SPRING"), .added(id: 4, cents: 300), .added(id: 5, cents: 700), .removed(id: 4),
    .used(coupon: hostile[4]), .emptied, .added(id: 1, cents: 1),
  ]
  for action in actions { basket = reduce(basket, action) }

  recorder.flush(within: .seconds(120))
  withExtendedLifetime((checkout, book, flow, panel, run)) {}
}

/// The paths that are asserted when some are chosen: those that every fault of the machine touches.
let paths: [String: [Pointer]] = [
  "checkout": [["outputs"]], "book": [["state"]], "flow": [["state"], ["outputs", "handler"]],
  "panel": [["state"]], "search": [["state"]], "basket": [["outputs", "total"], ["state"]],
].mapValues { $0.map { Pointer(tokens: $0) } }

func export(_ memory: MemorySink, to folder: String) throws -> [String] {
  var specs: [String] = []
  for name in paths.keys.sorted() {
    let assertions: [(String, TestExport.Assertion)] = [
      ("outputs", .changedOutputs), ("paths", .paths(paths[name] ?? [])), ("state", .state),
      ("final", .final),
    ]
    for (word, assertion) in assertions {
      for kind in TestExport.Kind.allCases {
        var export = TestExport(as: kind)
        export.assertion = assertion
        export.name = "\(name) \(word) \(kind == .swiftTesting ? "swift" : kind.rawValue)"
        export.make = name == "panel" ? "Panel()" : nil
        let files = try memory.exportTest(of: name, export)
        try write(files, to: folder)
        if kind == .quick, let file = files.first { specs.append(String(file.name.dropLast(6))) }
      }
      // A long timeline goes into a fixture; a stretch begins with its own state.
      var long = TestExport(as: .swiftTesting)
      (long.assertion, long.name, long.inlineLimit) = (assertion, "\(name) \(word) long", 0)
      long.make = name == "panel" ? "Panel()" : nil
      try write(memory.exportTest(of: name, long), to: folder)
      var stretch = TestExport(as: .swiftTesting)
      (stretch.assertion, stretch.name) = (assertion, "part of \(name) \(word)")
      try write(memory.exportTest(of: name, stretch, from: 3, to: 6), to: folder)
    }
  }
  return specs
}

func write(_ files: [TestFile], to folder: String) throws {
  for file in files {
    try Data(file.bytes).write(to: URL(fileURLWithPath: folder + "/" + file.name))
  }
}

/// What runs the specs, as Quick would.
func runner(of specs: [String]) -> String {
  var source = "import Quick\nimport Testing\n\n@Suite(\"Quick specs\", .serialized)\n@MainActor\n"
  source += "struct QuickSpecs {\n"
  for spec in specs { source += "  @Test func \(spec)Runs() throws { try \(spec).run() }\n" }
  return source + "}\n"
}

let folder = CommandLine.arguments.dropFirst().first ?? "."
let memory = MemorySink()
try await record(into: memory)
let specs = try export(memory, to: folder)
try Data(runner(of: specs).utf8).write(to: URL(fileURLWithPath: folder + "/QuickSpecs.swift"))
