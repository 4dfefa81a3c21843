/// An answer on its way out.
struct ResponseWriting {
  /// What has not been sent of the head and of a body at hand.
  private var front: [UInt8]
  private var sent = 0
  private let file: OpenFile?
  private var place = 0

  /// That answer to that request.
  init(_ response: Response, to request: Request, common: [(name: String, value: String)]) {
    front = response.head(common: common)
    var file: OpenFile?
    if request.method != "HEAD", response.status != 304, response.status != 204 {
      switch response.body {
      case .none: break
      case .bytes(let bytes): front += bytes
      case .file(let open): file = open
      }
    }
    self.file = file
  }

  /// Whether all has been sent.
  var isDone: Bool { sent == front.count && place >= (file?.size ?? 0) }

  /// Puts the next piece into memory; `nil` when the file is shorter than it was.
  mutating func next(_ scratch: Scratch) -> Int? {
    if sent < front.count {
      let end = min(front.count, sent + scratch.capacity)
      scratch.fill(with: front, sent..<end)
      defer { sent = end }
      return end - sent
    }
    guard let file else { return 0 }
    let count = file.read(
      into: scratch.payload, count: min(scratch.capacity, file.size - place), at: place)
    guard count > 0 else { return nil }
    place += count
    return count
  }
}
