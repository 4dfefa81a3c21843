import JSONCore
import Timelines
import Wire

/// What a recorder and the daemon may say to each other, in which order.
struct RecorderRules {
  private var hellos = 0
  private var wasChallenged = false
  private(set) var isWelcomed = false
  private var isWelcomeDelivered = false
  private var open: Set<String> = []
  private var closed: Set<String> = []
  private var ended: Set<String> = []
  /// Closed timelines whose place is not free again.
  private var closing: Set<String> = []
  /// How many timelines may be open, and how many 'hello' named.
  private var places = Int.max
  private var named = 0
  private var lastSeq: [String: Int64] = [:]
  /// The timelines that the daemon no longer has, according to its welcome.
  private var forgotten: Set<String> = []
  private var acknowledged: [String: Int64] = [:]
  private var commands: [Int64: String] = [:]
  private var lastCommand: Int64 = 0
  private var balance = 0
  /// The bytes of `append` that were sent.
  private(set) var spent = 0
  /// The credit that was given back.
  private(set) var granted = 0

  // MARK: From the recorder

  /// What is wrong with a message of the recorder; nothing when all is well.
  mutating func fromRecorder(
    _ message: JSONSlice, _ count: Int, isRemote: Bool, _ book: Book
  ) -> String? {
    guard let type = message["type"]?.string else { return "a message without a type" }
    if type == "hello" { return hello(message, isRemote: isRemote) }
    guard isWelcomeDelivered else { return "'\(type)' before 'welcome'" }
    switch type {
    case "open": return open(message)
    case "append": return append(message, count, book)
    case "close": return close(message, book)
    case "reduced", "done", "confirmed": return answer(message, type)
    case "error": return message["re"] == nil ? "it complains" : answer(message, type)
    case "released": return nil
    default: return "'\(type)' is not a message of a recorder"
    }
  }

  private mutating func hello(_ message: JSONSlice, isRemote: Bool) -> String? {
    hellos += 1
    named = message["timelines"].map { Array($0.elements).count } ?? 0
    guard hellos <= (isRemote ? 2 : 1) else { return "one 'hello' too many" }
    if isRemote, hellos == 1 {
      guard let nonce = message["nonce"]?.string, (32...64).contains(nonce.utf8.count) else {
        return "the first 'hello' over TCP has no nonce"
      }
      guard message["timelines"] == nil, message["run"] == nil else {
        return "the first 'hello' over TCP reveals data before authentication"
      }
      return nil
    }
    if isRemote, !wasChallenged { return "the second 'hello' before 'challenge'" }
    if isRemote, message["proof"] == nil { return "no proof" }
    return nil
  }

  private mutating func open(_ message: JSONSlice) -> String? {
    guard let header = message["header"], let id = header["timeline"]?.string,
      header["app"]?["name"] != nil, header["machine"]?["type"] != nil, header["started"] != nil
    else { return "an incomplete header" }
    guard !ended.contains(id) else { return "\(id) is opened, and an error ended it" }
    guard !closing.contains(id) else { return "\(id) is opened before its 'close' is answered" }
    open.insert(id)
    closed.remove(id)
    guard open.count <= places else { return "\(open.count) timelines are open, of \(places)" }
    return nil
  }

  private mutating func append(_ message: JSONSlice, _ count: Int, _ book: Book) -> String? {
    guard let id = message["timeline"]?.string, let timeline = TimelineID(id),
      let entries = message["entries"]
    else { return "an incomplete 'append'" }
    guard open.contains(id) else { return "an 'append' to \(id), which is not open" }
    guard !closed.contains(id) else { return "an 'append' to \(id), which was closed" }
    guard balance > 0 else { return "an 'append' without credit (\(balance))" }
    balance -= count
    spent += count
    var problem: String?
    for entry in entries.elements {
      guard let seq = entry["seq"]?.int, entry["t"]?.int != nil else { return "no entry" }
      let lost = entry["gap"]?["lost"]?.int ?? 0
      if let last = lastSeq[id], seq != last + 1 + lost {
        problem = problem ?? "entry \(seq) follows \(last) with a gap of \(lost)"
      }
      lastSeq[id] = seq
      let isThinned = entry["state"] == nil && entry["patch"] == nil
      problem =
        problem ?? book[timeline]?.send(seq, isThinned: isThinned, lostBefore: lost)
    }
    return problem
  }

  private mutating func close(_ message: JSONSlice, _ book: Book) -> String? {
    guard let id = message["timeline"]?.string, let timeline = TimelineID(id) else {
      return "an incomplete 'close'"
    }
    guard open.contains(id), !closed.contains(id) else { return "'close' of \(id) is not its turn" }
    closed.insert(id)
    if places < .max { closing.insert(id) }
    guard message["parks"] == nil else {
      let (last, acknowledged) = (lastSeq[id] ?? -1, acknowledged[id] ?? -1)
      return last <= acknowledged
        ? nil : "\(id) is parked after \(last), and \(acknowledged) is acknowledged"
    }
    guard let book = book[timeline] else { return nil }
    let lost = message["gap"]?["lost"]?.int ?? 0
    book.lostAtEnd = lost
    let last = lastSeq[id] ?? (forgotten.contains(id) ? -1 : book.acknowledged)
    guard last + lost == book.last else {
      return "closed after entry \(last) with a loss of \(lost), and the last entry is \(book.last)"
    }
    return nil
  }

  private mutating func answer(_ message: JSONSlice, _ type: String) -> String? {
    guard let re = message["re"]?.int else { return "an answer without 're'" }
    guard let asked = commands[re] else { return "an answer to \(re), which is not open" }
    if type == "reduced", asked != "reduce" { return "'reduced' answers '\(asked)'" }
    if type == "reduced", message["more"]?.bool == true { return nil }
    commands[re] = nil
    return nil
  }

  // MARK: From the daemon

  /// What is wrong with a message of the daemon; nothing when all is well.
  mutating func fromDaemon(_ message: JSONSlice, isRemote: Bool, _ book: Book) -> String? {
    guard let type = message["type"]?.string else { return "a message without a type" }
    switch type {
    case "challenge":
      guard isRemote, hellos == 1, !wasChallenged else { return "'challenge' is not its turn" }
      wasChallenged = true
      return nil
    case "welcome":
      guard !isWelcomed, hellos == (isRemote ? 2 : 1) else { return "'welcome' is not its turn" }
      isWelcomed = true
      places = Int(message["maxTimelines"]?.int ?? .max)
      guard named <= places else { return "'hello' names \(named) timelines, of \(places)" }
      for member in message["durable"]?.members ?? JSONSlice.null.members {
        guard let last = member.value.int, let timeline = TimelineID(member.key) else {
          forgotten.insert(member.key)
          continue
        }
        acknowledged[member.key] = last
        lastSeq[member.key] = last
        if let problem = book[timeline]?.acknowledge(last) { return problem }
      }
      return nil
    case "notice", "error": return nil
    default: break
    }
    guard isWelcomed else { return "'\(type)' before 'welcome'" }
    return later(type, message, book)
  }

  private mutating func later(_ type: String, _ message: JSONSlice, _ book: Book) -> String? {
    switch type {
    case "ack":
      guard let id = message["timeline"]?.string, let timeline = TimelineID(id) else {
        return "an incomplete 'ack'"
      }
      let durable = message["durable"]?.int ?? -1
      guard durable >= acknowledged[id] ?? -1 else { return "'ack' goes back to \(durable)" }
      guard durable >= 0 || places < .max else { return "an incomplete 'ack'" }
      guard durable >= 0 else {
        if lastSeq[id] == nil { forgotten.insert(id) }
        return nil
      }
      acknowledged[id] = durable
      return book[timeline]?.acknowledge(durable)
    case "credit":
      guard let bytes = message["bytes"]?.int, bytes > 0 else { return "no credit" }
      granted += Int(bytes)
      return granted > spent ? "\(granted) B of credit given back, and \(spent) spent" : nil
    case "gone": return nil
    case "cancel":
      return message["request"] == nil ? "an incomplete 'cancel'" : nil
    case "reduce", "hold", "restore", "dispatch", "step", "resume", "capture", "confirm":
      guard let id = message["id"]?.int else { return "a command without an id" }
      guard id > lastCommand else { return "the id \(id) after \(lastCommand)" }
      lastCommand = id
      commands[id] = type
      return nil
    default: return "'\(type)' is not a message to a recorder"
    }
  }

  /// A message arrives at the recorder.
  mutating func delivered(_ message: JSONSlice) {
    switch message["type"]?.string {
    case "welcome":
      isWelcomeDelivered = true
      balance = Int(message["credit"]?.int ?? 0)
    case "ack":
      guard message["closed"]?.bool == true, let id = message["timeline"]?.string else { return }
      closing.remove(id)
      open.remove(id)
    case "gone":
      if let id = message["timeline"]?.string { open.remove(id) }
    case "credit": balance += Int(message["bytes"]?.int ?? 0)
    case "error": if let id = message["timeline"]?.string { ended.insert(id) }
    default: break
    }
  }
}
