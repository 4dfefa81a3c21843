internal import JSONCore
internal import Reruns
internal import TimelineStore
internal import Timelines
internal import Wire

/// The element of an HTML file that holds branches.
///
/// It has base64 of zstd of lines: first an index, then for each branch its header and the entries that
/// it does not share with the recording. The page unpacks it when the first edit is made.
enum WhatIfElement {
  /// The end of the element before it, and the element without its end.
  static func text(of whatIf: WhatIf, _ packing: PackingStream) throws -> [UInt8] {
    var (base64, inserts) = (Base64Stream(), Base64Stream())
    let listed = inserts.encode(Self.inserts(of: whatIf)) + inserts.end()
    let start = """
      </script>
      <script type="application/zstd" id="what-if" data-first="\(whatIf.window.lowerBound)" \
      data-last="\(whatIf.window.upperBound)" data-count="\(whatIf.branches.count)" \
      data-fewest="\(whatIf.hasFewest)" \
      data-inserts="\(String(decoding: listed, as: UTF8.self))">
      """
    let packed = try packing.pack(try lines(of: whatIf), isEnd: true)
    return Array(start.utf8) + base64.encode(packed) + base64.end()
  }

  /// What is inserted where, as JSON. The page offers it before it unpacks the branches.
  private static func inserts(of whatIf: WhatIf) -> [UInt8] {
    JSON.array(
      whatIf.inserts.map { insert in
        var item = JSON.Object()
        item["event"] = insert.event.value
        item["before"] = .array(insert.before.map { .number(JSON.Number($0)) })
        return .object(item)
      }
    ).encoded()
  }

  private static func lines(of whatIf: WhatIf) throws -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    var body: [UInt8] = []
    var index: [JSON] = []
    for (place, branch) in whatIf.branches.enumerated() {
      let start = body.count
      body += branch.header.fields.line + [newline]
      for entry in branch.entries { body += Array(entry.line.bytes) + [newline] }
      let edits = branch.header.parent?.edits ?? EditScript()
      var item = JSON.Object()
      item["edits"] = try JSONSlice(validating: edits.text).value
      item["bytes"] = .number(JSON.Number(Int64(body.count - start)))
      item["ended"] = branch.ended.map { .string($0.why.rawValue) }
      if whatIf.hasFewest, place == whatIf.branches.count - 1 { item["fewest"] = true }
      index.append(.object(item))
    }
    return JSON.array(index).encoded() + [newline] + body
  }
}
