import JSONCore

extension Header.Fields {
  private static let keys = [
    "timeline", "app", "machine", "started", "parent", "forkedFrom", "schema", "outputs", "lanes",
    "chart", "recorder", "format",
  ]

  init(reading line: JSONSlice) throws(HeaderError) {
    let object = HeaderObject(line, path: "", base: line.range.lowerBound)
    format = try object.count("format", from: 1)
    guard format <= TimelineFormat.current else {
      throw object.error(.newerFormat(format), "format")
    }
    timeline = try object.timeline("timeline")
    app = try Header.App(try object.object("app"))
    machine = try Header.Machine(try object.object("machine"))
    started = try object.required("started", "a time as RFC 3339 writes it") { slice in
      slice.string.flatMap { Timestamp($0) }
    }
    parent = nil
    if object.has("parent") { parent = try Header.Parent(try object.object("parent")) }
    forkedFrom = nil
    if object.has("forkedFrom") {
      let from = try object.object("forkedFrom")
      forkedFrom = EntryReference(
        timeline: try from.timeline("timeline"), seq: try from.count("seq", from: 0))
    }
    schema = object["schema"]
    outputs = try object.strings("outputs").map { Header.Output($0, kind: $1) }
    lanes = try object.strings("lanes").map { Header.Lane($0, in: $1) }
    chart = object["chart"]
    recorder = try object.string("recorder")
    unknown = UnknownMembers(of: line, except: Self.keys)
  }

  /// The encoded line, without a line feed.
  public var line: [UInt8] {
    var text = JSONText()
    text.object { text in
      text.member("timeline", timeline.text)
      text.member("app") { app.write(to: &$0) }
      text.member("machine") { machine.write(to: &$0) }
      text.member("started", started.text)
      if let parent { text.member("parent") { parent.write(to: &$0) } }
      if let forkedFrom { text.member("forkedFrom", forkedFrom) }
      text.member("schema", raw: schema?.bytes)
      if !outputs.isEmpty {
        text.member("outputs") { text in
          for output in outputs { text.member(output.name, output.kind) }
        }
      }
      if !lanes.isEmpty {
        text.member("lanes") { text in for lane in lanes { text.member(lane.event, lane.lane) } }
      }
      text.member("chart", raw: chart?.bytes)
      text.member("recorder", recorder)
      text.member("format", format)
      unknown.write(to: &text)
    }
    return text.bytes
  }
}

extension Header.App {
  fileprivate init(_ object: HeaderObject) throws(HeaderError) {
    name = try object.requiredString("name")
    version = try object.string("version")
    commit = try object.string("commit")
    process = try object.string("process")
    pid = object.has("pid") ? try object.count("pid", from: 0) : nil
    host = try object.string("host")
    platform = try object.string("platform")
    run = try object.string("run")
    unknown = object.unknown(
      except: ["name", "version", "commit", "process", "pid", "host", "platform", "run"])
  }

  fileprivate func write(to text: inout JSONText) {
    text.member("name", name)
    text.member("version", version)
    text.member("commit", commit)
    text.member("process", process)
    text.member("pid", pid)
    text.member("host", host)
    text.member("platform", platform)
    text.member("run", run)
    unknown.write(to: &text)
  }
}

extension Header.Machine {
  fileprivate init(_ object: HeaderObject) throws(HeaderError) {
    type = try object.requiredString("type")
    module = try object.string("module")
    name = try object.requiredString("name")
    kind = try object.string("kind")
    make = try object.string("make")
    encoding = try object.string("encoding")
    unknown = object.unknown(except: ["type", "module", "name", "kind", "make", "encoding"])
  }

  fileprivate func write(to text: inout JSONText) {
    text.member("type", type)
    text.member("module", module)
    text.member("name", name)
    text.member("kind", kind)
    text.member("make", make)
    text.member("encoding", encoding)
    unknown.write(to: &text)
  }
}

extension Header.Parent {
  fileprivate init(_ object: HeaderObject) throws(HeaderError) {
    timeline = try object.timeline("timeline")
    through = try object.count("through", from: 0)
    start = try object.count("start", from: 0)
    edits = try object.required("edits", "an edit script") { try? EditScript(reading: $0) }
    name = try object.string("name")
    isFromStandIns = object["standIns"]?.bool == true
    failureText = object["failure"]?.string
    let known = ["timeline", "through", "start", "edits", "name", "standIns"]
    unknown = object.unknown(except: failureText == nil ? known : known + ["failure"])
  }

  fileprivate func write(to text: inout JSONText) {
    text.member("timeline", timeline.text)
    text.member("through", through)
    text.member("start", start)
    text.member("edits", raw: edits.text[...])
    text.member("name", name)
    if isFromStandIns { text.member("standIns", raw: "true".utf8) }
    text.member("failure", failureText)
    unknown.write(to: &text)
  }
}
