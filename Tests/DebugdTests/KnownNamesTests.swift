import JSONCore
import Predicates
import Testing
import Timelines

@testable import debugd

@Suite("names that a recording does not have")
struct KnownNamesTests {
  private let names = KnownNames(
    state: ["total", "items"], outputs: ["total", "side"], events: ["flipped"])

  @Test(
    "are explained with those that it has",
    arguments: [
      ("total", "did you mean 'state.total' or 'outputs.total'?"),
      ("flipped", "did you mean 'event == \"flipped\"'?"),
      ("itms", "did you mean 'state.items'?"),
      ("price", "there is state.total, state.items, outputs.total, outputs.side"),
    ])
  func explained(_ word: String, _ end: String) {
    #expect(names.explanation(of: word).hasSuffix(end), "\(names.explanation(of: word))")
  }

  @Test(
    "are corrected all at once where each can mean only one value",
    arguments: [
      ("items > side", "did you mean 'state.items > outputs.side'?"),
      (
        "seq > 1 && items == 1 || !side",
        "did you mean 'seq > 1 && state.items == 1 || !outputs.side'?"
      ),
      ("items == 'é' && side", "did you mean 'state.items == 'é' && outputs.side'?"),
      // One name has its own explanation, and so has one that may mean two values.
      ("items > 1", "did you mean 'state.items'?"),
      ("items > total", "did you mean 'state.items'?"),
    ])
  func corrected(_ text: String, _ end: String) throws {
    let error = try #require(throws: PredicateError.self) { try Predicate(text) }
    let word = try #require(KnownNames.unknownWord(in: error.message))
    let explanation = names.explanation(of: word, in: text)
    #expect(explanation.hasSuffix(end), "\(explanation)")
  }

  @Test("are found in the parser's error")
  func found() throws {
    let error = try #require(throws: PredicateError.self) { try Predicate("flipped") }
    #expect(KnownNames.unknownWord(in: error.message) == "flipped")
    let other = try #require(throws: PredicateError.self) { try Predicate("stat.n > 1") }
    #expect(KnownNames.unknownWord(in: other.message) == nil)
  }

  @Test("the paths of a predicate are those of states and outputs, without lengths")
  func paths() throws {
    let predicate = try Predicate(
      #"state.a[0].b > 1 && !changed(outputs.c) && event == "x" && before.state.items.count < seq"#)
    #expect(
      predicate.readPaths == [["state", "a", "0", "b"], ["outputs", "c"], ["state", "items"]])
  }

  @Test(
    "a path of a predicate is a pointer, unless it leads to several values",
    arguments: [
      ("state.total", "/state/total"), ("outputs.items[0].id", "/outputs/items/0/id"),
      ("event.added.cents", "/event/added/cents"), (#"state["a b"].c"#, "/state/a b/c"),
      ("state.items[*].id", nil), ("total", nil), ("/state.total", nil), ("state", nil),
      ("before.state.total", nil), ("state.a > 1", nil), ("", nil),
    ])
  func pointers(_ text: String, _ pointer: String?) {
    #expect(Predicate.pointer(text)?.description == pointer)
  }

  @Test("an absent path is shown as it was written, with the nearest name")
  func absent() {
    let path = AbsentPath(tokens: ["state", "cart", "0", "qy"], known: 3, keys: ["qty", "id"])
    #expect(
      path.sentence(.predicate) == "No entry has state.cart[0].qy; did you mean state.cart[0].qty?")
    #expect(
      path.sentence(.pointer) == "No entry has /state/cart/0/qy; did you mean /state/cart/0/qty?")
    let far = AbsentPath(tokens: ["outputs", "zzzzzz"], known: 1, keys: ["side"])
    #expect(far.sentence(.pointer) == "No entry has /outputs/zzzzzz. /outputs has side.")
  }
}
