/// A response that is being written.
struct ResponseWriting {
  private let head: [UInt8]
  /// A body in memory. It is never mutated, so all responses with the same bytes share them.
  private let body: [UInt8]
  /// The number of bytes of the head and the body that were sent.
  private var sent = 0
  private let file: OpenFile?
  private var offset = 0

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

  var isDone: Bool { sent == head.count + body.count && offset >= (file?.size ?? 0) }

  /// Copies the next piece into memory; `nil` if the file has become shorter.
  mutating func next(_ scratch: Scratch) -> Int? {
    if sent < head.count + body.count { return nextFromMemory(scratch) }
    guard let file else { return 0 }
    let count = file.read(
      into: scratch.payload, count: min(scratch.capacity, file.size - offset), at: offset)
    guard count > 0 else { return nil }
    offset += count
    return count
  }

  private mutating func nextFromMemory(_ scratch: Scratch) -> Int {
    let end = min(head.count + body.count, sent + scratch.capacity)
    let ofHead = min(sent, head.count)..<min(end, head.count)
    let ofBody = max(sent - head.count, 0)..<max(end - head.count, 0)
    scratch.fill(with: head, ofHead)
    scratch.fill(with: body, ofBody, after: ofHead.count)
    defer { sent = end }
    return end - sent
  }
}
