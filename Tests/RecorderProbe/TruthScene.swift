import Foundation
import Recorder
import StatesCore

extension Scene {
  /// `truth FILE SEED STEPS MICROSECONDS SECONDS [refused]`: plays machines of all kinds at random, with a
  /// pause between steps, and writes their states to a file; `DEBUGD` sets where to record.
  ///
  /// Prints when it has played and in how many steps a machine put its thread to sleep, and then, after at
  /// most SECONDS, whether everything is stored; with `refused`, as soon as it knows why not.
  static let truth = Scene(name: "truth") { arguments in
    guard (5...6).contains(arguments.count), let seed = UInt64(arguments[1]),
      let steps = Int(arguments[2]), let pause = Int(arguments[3]), let seconds = Int(arguments[4])
    else { exit(64) }
    let recorder = StateRecorder(app: "truth")
    let play = Play(recorder, Truth(arguments[0]), Chance(seed: seed))
    printLine("playing")
    var sleeps = 0
    for _ in 0..<steps {
      sleeps += play.step() ? 1 : 0
      Scene.pause(microseconds: pause)
    }
    printLine("played sleeps \(sleeps)")
    // Without a connection, flushing returns immediately; the daemon may still come.
    let deadline = ContinuousClock.now + .seconds(seconds)
    let mayBeRefused = arguments.count == 6
    func isRefused() -> Bool { mayBeRefused && recorder.statistics.lastError != nil }
    var isStored = recorder.flush(within: .seconds(seconds))
    while !isStored, !isRefused(), ContinuousClock.now < deadline {
      Scene.pause(microseconds: 50_000)
      isStored = recorder.flush(within: .seconds(seconds))
    }
    let counts = recorder.statistics
    recorder.close(within: .seconds(isRefused() && !isStored ? 1 : seconds))
    printLine("stored \(isStored) thinned \(counts.thinned) lost \(counts.lost)")
    if let error = counts.lastError { printLine("error \(error)") }
  }

  /// Prints a line without buffering, also into a pipe.
  static func printLine(_ line: String) {
    print(line)
    fflush(nil)
  }
}

/// One run of machines of all kinds.
private final class Play {
  private let truth: Truth
  private var chance: Chance
  private let basket: Machine<PlayedBasket>
  private let namesake: Machine<PlayedBasket>
  private let form: StateForm<[Int], String>
  private let chart: Statechart<PlayedGate.Session>
  private let lamp: PlayedLamp
  private let reduce: ([Int], Int) -> [Int]
  private let append: (inout [Int], Int) -> Void
  private let custom: CustomRecording<[String]>
  private let echo: FeedbackRun<[Int], Int>
  private let echoes: DispatchSemaphore
  private var (sum, list, words) = ([Int](), [Int](), [String]())
  private var subscriptions: [Subscription] = []

  init(_ recorder: StateRecorder, _ truth: Truth, _ chance: Chance) {
    self.truth = truth
    self.chance = chance
    basket = recorder.record(Machine(PlayedBasket()), as: "basket")
    namesake = recorder.record(Machine(PlayedBasket()), as: "basket")
    form = recorder.record(
      StateForm(state: [], reducer: { (state: [Int], event: String) in state + [event.count] }),
      as: "form")
    guard let door = try? PlayedGate.make() else { Scene.exit(70) }
    chart = recorder.record(door, as: "chart")
    lamp = recorder.record(PlayedLamp(), as: "lamp")
    reduce = recorder.wrap({ (state: [Int], event: Int) in state + [event] }, as: "sum")
    append = recorder.wrap(
      inPlace: { (state: inout [Int], event: Int) in state.append(event) }, as: "list")
    custom = recorder.machine("custom", initial: [])
    echoes = DispatchSemaphore(value: 0)
    let echo = recorder.record(Play.system(truth, echoes), as: "echo").makeRun()
    self.echo = echo
    // A run only runs while its states are awaited.
    Task.detached { for try await _ in echo {} }
    truth.append("basket", basket.state, basket.state.shown)
    truth.append("basket 2", namesake.state, namesake.state.shown)
    truth.append("form", form.state)
    truth.append("chart", chart.state)
    truth.append("lamp", lamp.state.state)
    truth.append("sum", sum)
    truth.append("list", list)
    truth.append("custom", words)
    subscriptions = [
      form.onTransition { _, new in truth.append("form", new) },
      chart.onTransition { _, new in truth.append("chart", new) },
      lamp.state.onTransition { _, new in truth.append("lamp", new) },
    ]
  }

  /// The loop answers every odd number; the reducer itself records the result.
  private static func system(_ truth: Truth, _ echoes: DispatchSemaphore) -> FeedbackSystem<
    [Int], Int
  > {
    truth.append("echo", [Int]())
    return FeedbackSystem(
      initialState: [],
      reduce: { (state: [Int], event: Int) in
        let next = state + [event]
        // A loop's outputs are its active requests.
        truth.append("echo", next, event % 2 == 1 ? ["double": ["\(event)"]] : [:])
        echoes.signal()
        return next
      },
      feedback: react("double", request: { $0.last.flatMap { $0 % 2 == 1 ? $0 : nil } }) {
        request, emit in emit(request * 2)
      })
  }

  /// Performs a random action. Returns whether the machine put the thread to sleep.
  func step() -> Bool {
    switch chance.pick(9) {
    case 0: basketStep(basket, "basket")
    case 1: basketStep(namesake, "basket 2")
    case 2: formStep()
    case 3: chartStep()
    case 4: lampStep()
    case 5: sumStep()
    case 6: listStep()
    case 7: customStep()
    default: echoStep()
    }
  }

  private func basketStep(_ machine: Machine<PlayedBasket>, _ name: String) -> Bool {
    let other = chance.pick(20) == 0
    let event = PlayedBasket.event(&chance)
    let slept =
      other
      ? sleeps(during: machine.restore(PlayedBasket(items: ["restored"])))
      : sleeps(during: machine.send(event))
    truth.append(name, machine.state, machine.state.shown)
    return slept
  }

  private func formStep() -> Bool {
    switch chance.pick(4) {
    case 0: return sleeps(during: form.undo())
    case 1: return sleeps(during: form.redo())
    default:
      let event = String(repeating: "x", count: chance.pick(5))
      return sleeps(during: form.apply(event))
    }
  }

  private func chartStep() -> Bool {
    switch chance.pick(4) {
    case 0: return sleeps(during: try? chart.send("pushed"))
    case 1: return sleeps(during: try? chart.send("pulled"))
    case 2: return sleeps(during: try? chart.send("unknown"))
    default:
      let word = "word \(chance.pick(9))"
      return sleeps(during: try? chart.send("said", word))
    }
  }

  private func lampStep() -> Bool {
    let state = chance.pick(2) == 0 ? PlayedLamp.on(chance.pick(3)) : PlayedLamp.off()
    return sleeps(during: lamp.state.apply(state))
  }

  private func sumStep() -> Bool {
    let number = chance.pick(100)
    let slept = sleeps(during: sum = reduce(sum, number))
    truth.append("sum", sum)
    return slept
  }

  private func listStep() -> Bool {
    if list.count > 40 {
      // A state that the function did not return: a jump.
      list = [-chance.pick(1000) - 1]
      truth.append("list", list)
    }
    let number = chance.pick(100)
    let slept = sleeps(during: append(&list, number))
    truth.append("list", list)
    return slept
  }

  private func customStep() -> Bool {
    let isReplaced = chance.pick(5) == 0
    if isReplaced { words = [] } else { words.append("word \(chance.pick(9))") }
    let slept =
      isReplaced
      ? sleeps(during: custom.replace(by: words))
      : sleeps(during: custom.record("added", state: words))
    truth.append("custom", words)
    return slept
  }

  private func echoStep() -> Bool {
    let number = chance.pick(100)
    let slept = sleeps(during: echo.send(number))
    // Nothing else happens in between, so every odd number is answered with an even one.
    for _ in 0..<(number % 2 == 1 ? 2 : 1) {
      guard echoes.wait(timeout: .now() + 120) == .success else { Scene.exit(75) }
    }
    return slept
  }

  /// Whether some work gives the processor away by itself, which a slow or interrupted thread does not.
  private func sleeps<Answer>(during work: @autoclosure () -> Answer) -> Bool {
    let before = Play.sleeps()
    _ = work()
    return Play.sleeps() > before
  }

  /// How often the calling thread has slept.
  private static func sleeps() -> Int {
    // RUSAGE_THREAD, which Swift does not import.
    let thread: Int32 = 1
    var usage = rusage()
    getrusage(thread, &usage)
    return usage.ru_nvcsw
  }
}
