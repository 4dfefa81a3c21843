import DebugServer
import FaultyDisk
import Timelines
import Wire

/// The participants of a run, and the faults: all of it follows from the seed.
struct Plan {
  enum Host: CaseIterable { case none, correct, slow, silent, wrong, crashing, empty }

  struct Recorder {
    static let usualOutboxBytes = 32 << 20
    var name: String
    var isRemote = false
    var outboxBytes = Recorder.usualOutboxBytes
    var keyframeEvery = 8
    var allowsControl = true
    var host = Host.none
    /// When it starts, and how many events it handles.
    var startsAt: Int64 = 0
    var events = 60
    /// Whether it closes its machine at the end.
    var closes = false
    /// The machines in addition to the first one.
    var moreMachines = 0
    /// How many timelines it may have open.
    var places = ProtocolLimits().timelines
  }

  struct Inspector {
    var name: String
    var startsAt: Int64 = 0
    var forks = 0
    var holds = false
    /// Whether it disconnects while it holds a machine at the end.
    var forgets = false
    var scrubs = 10
    var isSlow = false
    var deletes = false
    /// Whether it has hosts run timelines again.
    var proves = false
    /// Whether it imports files.
    var imports = false
    /// Whether it shows every entry, and not only how many there are.
    var showsEntries = false
  }

  /// Something that goes wrong at a moment.
  struct Fault {
    enum Kind {
      case killDaemon(down: Int64)
      /// Right after an acknowledgment, counted from then on.
      case killDaemonAtAck(Int, down: Int64)
      case stopDaemon(down: Int64)
      case freezeDaemon(Int64)
      case diskHangs(Int64)
      /// Each operation of the disk fails from one of the next on, for a while.
      case diskFails(DiskFaults.Kind, after: Int, Int64)
      /// The daemon's machine loses power, and with it the apps that connect by its socket.
      case losePower(down: Int64)
      /// Nothing is written for a while, and a connection is lost meanwhile.
      case cutWhileWritesHang(Int, Int64)
      case crashRecorder(Int, down: Int64)
      case freezeRecorder(Int, Int64)
      case cut(Int)
      case stall(Int, Int64)
      case loseConnection(Int)
      case prune
      /// Another process opens the timeline that a recorder writes.
      case secondWriter(Int)
    }
    var time: Int64
    var kind: Kind
  }

  var recorders: [Recorder] = []
  var inspectors: [Inspector] = []
  var faults: [Fault] = []
  /// When the last fault has ended.
  var faultsEnd: Int64 = 20_000_000
  /// How long nothing happens then.
  var idle: Int64 = 0
  var limits = ServerLimits()
  var chunkBytes = 4 << 10
  /// The microseconds that the slowest commit takes.
  var slowestCommit = 400
  /// The microseconds that the slowest look at the store takes.
  var slowestLook = 80

  /// Whether nothing goes wrong, so that no connection may ever end.
  var isQuiet: Bool { faults.isEmpty && recorders.allSatisfy { $0.host != .crashing } }
}

extension Plan {
  init(seed: UInt64) {
    self.init(withoutCrowd: seed)
    addCrowd(seed: seed)
  }

  private init(withoutCrowd seed: UInt64) {
    var chance = Chance(seed: seed, "plan")
    let isQuiet = chance.once(in: 6)
    for index in 0..<chance.pick(1...3) {
      var recorder = Recorder(name: "app\(index)")
      recorder.isRemote = chance.once(in: 2)
      recorder.startsAt = Int64(chance.pick(0...2_000_000))
      recorder.events = chance.pick(4...40)
      recorder.keyframeEvery = chance.pick(1...12)
      recorder.closes = chance.once(in: 3)
      if chance.once(in: 3), !isQuiet { recorder.outboxBytes = chance.pick(2_000...8_000) }
      recorder.host =
        isQuiet ? .correct : chance.once(in: 2) ? .correct : chance.pick(of: Host.allCases)
      recorders.append(recorder)
    }
    for index in 0..<chance.pick(0...2) {
      var inspector = Inspector(name: "page\(index)")
      // Some arrive while the last entries are written, and get no later news.
      inspector.startsAt = Int64(chance.pick(0...(chance.once(in: 3) ? 18_000_000 : 4_000_000)))
      inspector.scrubs = chance.pick(0...8)
      inspector.forks = chance.pick(0...2)
      inspector.holds = chance.once(in: 3)
      inspector.forgets = chance.once(in: 2)
      inspector.deletes = !isQuiet && chance.once(in: 8)
      inspector.showsEntries = chance.once(in: 2)
      inspector.proves = chance.once(in: 4)
      inspector.imports = chance.once(in: 4)
      inspectors.append(inspector)
    }
    if chance.once(in: 3) { limits.wire.credit = chance.pick(1_000...8_000) }
    if chance.once(in: 4) { limits.waitingBytes = chance.pick(150...6_000) }
    if chance.once(in: 4) { limits.newsEntries = chance.pick(1...4) }
    // Small ones are sealed while their timeline is written, so that retention can cut its beginning.
    chunkBytes = chance.once(in: 2) ? chance.pick(300...1_500) : chance.pick(1_000...16_000)
    slowestCommit = chance.pick(of: [400, 400, 5_000, 80_000])
    slowestLook = chance.pick(of: [80, 80, 5_000, 60_000])
    guard !isQuiet else {
      idle = Int64(chance.pick(1...2)) * 3_600_000_000
      return
    }
    idle = chance.once(in: 6) ? 600_000_000 : 0
    for _ in 0..<chance.pick(1...5) { faults.append(Fault(using: &chance, recorders.count)) }
    if chance.once(in: 8) { addSecondWriter(using: &chance) }
    faults.sort { $0.time < $1.time }
  }

  /// Gives a recorder more machines than it may have timelines open, in some plans.
  mutating func addCrowd(seed: UInt64) {
    var chance = Chance(seed: seed, "crowd")
    guard chance.once(in: 4) else { return }
    let index = chance.pick(0...recorders.count - 1)
    let places = chance.pick(1...3)
    recorders[index].moreMachines = chance.pick(places...6)
    recorders[index].events *= chance.pick(1...3)
    // The headers of all machines would fill a small one.
    recorders[index].outboxBytes = Recorder.usualOutboxBytes
    for index in recorders.indices { recorders[index].places = places }
    limits.timelinesOfRecorder = places
  }
}

extension Plan {
  /// Another process writes to the timeline of a recorder that stays connected: while a timeline has
  /// no writer, any process may continue it.
  private mutating func addSecondWriter(using chance: inout Chance) {
    let index = chance.pick(0...recorders.count - 1)
    recorders[index].closes = false
    recorders[index].startsAt = min(recorders[index].startsAt, 100_000)
    if recorders[index].host == .crashing { recorders[index].host = .correct }
    for inspector in inspectors.indices { inspectors[inspector].deletes = false }
    faults.removeAll { !$0.keepsConnections }
    let time = Int64(chance.pick(3_000_000...12_000_000))
    faults.append(Fault(time: time, kind: .secondWriter(index)))
  }
}

extension Plan.Fault {
  /// Whether all connections outlive it.
  fileprivate var keepsConnections: Bool {
    switch kind {
    case .diskHangs, .diskFails, .prune, .freezeDaemon, .secondWriter: true
    case .killDaemon, .killDaemonAtAck, .stopDaemon, .crashRecorder, .freezeRecorder, .cut, .stall,
      .loseConnection, .cutWhileWritesHang, .losePower:
      false
    }
  }

  fileprivate init(using chance: inout Chance, _ recorders: Int) {
    time = Int64(chance.pick(200_000...16_000_000))
    let short = Int64(chance.pick(1_000...3_000_000))
    let who = chance.pick(0...recorders - 1)
    kind =
      switch chance.pick(0...16) {
      case 0: .killDaemon(down: short)
      case 1, 2: .killDaemonAtAck(chance.pick(1...6), down: short)
      case 3: .stopDaemon(down: short)
      case 4: .freezeDaemon(short)
      case 5: .diskHangs(short)
      case 6: .crashRecorder(who, down: short)
      case 7: .freezeRecorder(who, short)
      case 8: .cut(chance.pick(0...recorders + 1))
      case 9: .stall(chance.pick(0...recorders + 1), short)
      case 10: .loseConnection(who)
      case 11: .cutWhileWritesHang(who, short)
      case 12, 13: .losePower(down: short)
      case 14: .diskFails(.full, after: chance.pick(0...200), short)
      case 15: .diskFails(.broken, after: chance.pick(0...200), short)
      default: .prune
      }
  }
}
