import Recorder
import TestSupport
import Testing
import Timelines
import Wire

@Suite("Recorder: leases")
struct LeaseTableTests {
  private let one = TimelineID(random: 1)
  private let two = TimelineID(random: 2)

  @Test("one lease a machine; another one is refused until the first ends, or is taken over")
  func single() {
    var leases = LeaseTable()
    func hold(_ lease: String, _ takes: Bool, _ now: Int) -> LeaseTable.Grant {
      leases.hold(one, lease: lease, for: .seconds(15), takes: takes, at: .seconds(now))
    }
    #expect(hold("a", false, 0) == .granted(takenFrom: nil))
    #expect(hold("b", false, 1) == .refused)
    #expect(hold("a", false, 10) == .renewed)
    #expect(hold("b", false, 20) == .refused)
    #expect(leases.isValid("a", for: one, at: .seconds(24)))
    #expect(!leases.isValid("a", for: one, at: .seconds(25)))
    #expect(!leases.isValid("b", for: one, at: .seconds(24)))
    #expect(hold("b", true, 24) == .granted(takenFrom: "a"))
    #expect(!leases.isValid("a", for: one, at: .seconds(24)))
    #expect(hold("c", false, 40) == .granted(takenFrom: nil))
  }

  @Test("leases expire, each at its time, and are reported once")
  func expiry() {
    var leases = LeaseTable()
    _ = leases.hold(one, lease: "a", for: .seconds(5), takes: false, at: .zero)
    _ = leases.hold(two, lease: "b", for: .seconds(9), takes: false, at: .zero)
    #expect(leases.nextDeadline == .seconds(5))
    #expect(leases.expire(at: .seconds(4)).isEmpty)
    #expect(leases.expire(at: .seconds(5)).map(\.lease) == ["a"])
    #expect(leases.expire(at: .seconds(5)).isEmpty)
    #expect(leases.nextDeadline == .seconds(9))
    #expect(leases.end(two) == "b")
    #expect(leases.end(two) == nil)
  }

  @Test("of any history of requests at most one lease a machine is valid")
  func histories() {
    for seed in UInt64(0)..<50 {
      var generator = SeededGenerator(seed: seed)
      var leases = LeaseTable()
      var model: (lease: String, deadline: Int)?
      var now = 0
      for _ in 0..<200 {
        now += Int.random(in: 0...4, using: &generator)
        let lease = ["a", "b", "c"].randomElement(using: &generator) ?? "a"
        if let valid = model, valid.deadline <= now { model = nil }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          _ = leases.end(one)
          model = nil
        case 1: _ = leases.expire(at: .seconds(now))
        default:
          let takes = Bool.random(using: &generator)
          let grant = leases.hold(
            one, lease: lease, for: .seconds(5), takes: takes, at: .seconds(now))
          let refused = model != nil && model?.lease != lease && !takes
          #expect((grant == .refused) == refused, "seed \(seed)")
          if !refused { model = (lease, now + 5) }
        }
        for candidate in ["a", "b", "c"] {
          #expect(
            leases.isValid(candidate, for: one, at: .seconds(now)) == (model?.lease == candidate),
            "seed \(seed)")
        }
      }
    }
  }
}

extension TimelineID {
  /// One of a test's.
  init(random number: Int) {
    self = TimelineID("00000000-0000-4000-8000-00000000000\(number)") ?? .zero
  }
}
