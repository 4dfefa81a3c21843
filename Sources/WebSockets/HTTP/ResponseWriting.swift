/// An answer on its way out.
struct ResponseWriting {
  private let head: [UInt8]
  /// A body at hand. Never changed, so that all answers with the same bytes share them.
  private let body: [UInt8]
  /// How much of the head and the body has been sent.
  private var sent = 0
  private let file: OpenFile?
  private var place = 0

  /// That answer to that request.
  init(_ response: Response, to request: Request, common: [(name: String, value: String)]) {
    head = response.head(common: common)
    var (body, file): ([UInt8], OpenFile?) = ([], nil)
    if request.method != "HEAD", response.status != 304, response.status != 204 {
      switch response.body {
      case .none: break
      case .bytes(let bytes): body = bytes
      case .file(let open): file = open
      }
    }
    self.body = body
    self.file = file
  }

  /// Whether all has been sent.
  var isDone: Bool { sent == head.count + body.count && place >= (file?.size ?? 0) }

  /// Puts the next piece into memory; `nil` when the file is shorter than it was.
  mutating func next(_ scratch: Scratch) -> Int? {
    if sent < head.count + body.count { return nextAtHand(scratch) }
    guard let file else { return 0 }
    let count = file.read(
      into: scratch.payload, count: min(scratch.capacity, file.size - place), at: place)
    guard count > 0 else { return nil }
    place += count
    return count
  }

  private mutating func nextAtHand(_ scratch: Scratch) -> Int {
    let end = min(head.count + body.count, sent + scratch.capacity)
    let ofHead = min(sent, head.count)..<min(end, head.count)
    let ofBody = max(sent - head.count, 0)..<max(end - head.count, 0)
    scratch.fill(with: head, ofHead)
    scratch.fill(with: body, ofBody, behind: ofHead.count)
    defer { sent = end }
    return end - sent
  }
}
