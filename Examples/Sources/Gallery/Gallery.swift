import Machines
import Recorder
import StatesCore

/// Machines of all kinds on the main actor, as in an app.
@MainActor
final class Gallery {
  private let recorder: StateRecorder

  init(_ recorder: StateRecorder) {
    self.recorder = recorder
  }

  /// Runs until the task is canceled.
  func run() async {
    await withTaskGroup { group in
      group.addTask { await self.flipCoins() }
      group.addTask { await self.verifyNumbers() }
      group.addTask { await self.keepAddresses() }
      group.addTask { await self.wanderThroughPages() }
      group.addTask { await self.searchInView() }
      group.addTask { await self.browseRepositories() }
      group.addTask { await self.fillBaskets() }
    }
  }

  private func flipCoins() async {
    let coin = recorder.record(Machine(CoinState()), as: "coin")
    let pace = Pace(.milliseconds(700), seed: 1)
    while !Task.isCancelled { await flip(coin, pace, times: 10) }
  }

  private func verifyNumbers() async {
    let pace = Pace(.milliseconds(600), seed: 2)
    while !Task.isCancelled {
      // Each attempt has its own machine, and so its own timeline.
      let machine = recorder.record(Machine(VerificationState()), as: "verification")
      await verify(machine, pace)
      await pace.rest(20)
    }
  }

  private func keepAddresses() async {
    let book = recorder.record(AddressBook.make(), as: "book", madeBy: AddressBook.self)
    let pace = Pace(.milliseconds(900), seed: 3)
    while !Task.isCancelled { await keep(book, pace, times: 10) }
  }

  private func wanderThroughPages() async {
    guard let chart = try? PageFlow.make() else { return }
    let flow = recorder.record(chart, as: "flow", madeBy: PageFlow.self)
    let pace = Pace(.milliseconds(800), seed: 4)
    while !Task.isCancelled { try? await wander(flow, pace, times: 10) }
  }

  private func searchInView() async {
    let view = recorder.record(SearchView(), as: "search view")
    let pace = Pace(.milliseconds(1000), seed: 5)
    while !Task.isCancelled { await search(in: view, pace, times: 5) }
  }

  private func browseRepositories() async {
    let service = ReposService()
    let system = recorder.record(
      RepositorySearch.system { try await service.page($0) }, as: "repositories",
      madeBy: RepositorySearch.self)
    let run = system.makeRun()
    let shown = Task { for try await _ in run {} }
    let pace = Pace(.milliseconds(900), seed: 6)
    while !Task.isCancelled { await browse(run, pace, times: 5) }
    shown.cancel()
  }

  private func fillBaskets() async {
    let reduce = recorder.wrap(
      inPlace: Basket.reduce(into:action:), as: "basket", outputs: BasketRecording.outputs,
      madeBy: BasketRecording.self)
    let pace = Pace(.milliseconds(900), seed: 7)
    var (basket, user) = (Basket(), BasketUser())
    while !Task.isCancelled {
      for _ in 1...30 where !Task.isCancelled {
        await pace.rest()
        reduce(&basket, user.act(pace))
      }
      while !Task.isCancelled, let action = user.removeNext() {
        await pace.rest()
        reduce(&basket, action)
      }
    }
  }
}
