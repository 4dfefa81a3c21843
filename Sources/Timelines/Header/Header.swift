public import JSONCore

/// The first line of a timeline: describes its machine, and how to read it.
///
/// Like an entry, a header *is* its line, whose bytes never change. To create one, fill in
/// ``Fields-swift.struct`` and call ``init(_:)``.
///
/// ```swift
/// let line = """
///   {"timeline":"0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a","app":{"name":"Commute"},\
///   "machine":{"type":"Commute.CommuteState","name":"commute"},\
///   "started":"2026-03-01T09:30:00Z","format":1}
///   """
/// let header = try Header(reading: line)
/// header.app.name       // "Commute"
/// header.machine.type   // "Commute.CommuteState"
/// ```
@dynamicMemberLookup
public struct Header: Sendable {
  /// The line as it was read, without surrounding whitespace.
  public let line: JSONSlice

  /// Its fields.
  public let fields: Fields

  /// Reads a line. Checks the format before anything else.
  public init(reading bytes: [UInt8], limits: JSONLimits = .standard) throws(HeaderError) {
    let line: JSONSlice
    do {
      line = try JSONSlice(validating: bytes, limits: limits)
    } catch {
      throw HeaderError(.json(error.reason), at: error.offset)
    }
    try self.init(reading: line)
  }

  /// Reads a line from text.
  public init(reading text: String, limits: JSONLimits = .standard) throws(HeaderError) {
    try self.init(reading: Array(text.utf8), limits: limits)
  }

  /// Reads the header of a timeline from outside: from a file or a recorder.
  ///
  /// Refuses headers that cannot be stored unchanged. Stored headers are read without this check, so
  /// that they can be viewed and deleted.
  package init(receiving line: JSONSlice) throws(HeaderError) {
    try self.init(reading: line)
    if fields.parent?.timeline == fields.timeline {
      throw HeaderError(.ownParent, key: "parent.timeline", at: 0)
    }
  }

  /// Reads a validated object in a message. The header shares its text.
  public init(reading line: JSONSlice) throws(HeaderError) {
    guard line.kind == .object else { throw HeaderError(.notAnObject, at: 0) }
    let bytes = line.bytes
    if let index = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      throw HeaderError(.lineBreak, at: index - bytes.startIndex)
    }
    self.line = line
    fields = try Fields(reading: line)
  }

  /// Writes a header.
  ///
  /// Each raw value in the fields must be on one line.
  public init(_ fields: Fields) throws(HeaderError) {
    try self.init(reading: fields.line)
  }

  /// A field.
  public subscript<Value>(dynamicMember path: KeyPath<Fields, Value>) -> Value {
    fields[keyPath: path]
  }
}

extension Header {
  /// The fields of a header.
  public struct Fields: Sendable {
    /// The timeline's name.
    public var timeline: TimelineID
    /// The app that was recorded.
    public var app: App
    /// The machine that was recorded.
    public var machine: Machine
    /// The wall clock when the timeline started: at `t` 0.
    public var started: Timestamp
    /// The parent, if the timeline is a branch.
    public var parent: Parent?
    /// The entry of the parent process at which `fork()` created this process.
    public var forkedFrom: EntryReference?
    /// The possible events.
    public var schema: JSONSlice?
    /// The machine's outputs with their kinds, `ui`, `data`, or `navigation`, in the order of
    /// declaration.
    public var outputs: [Output]
    /// The names of events with the lanes that show them, if the user chose some.
    public var lanes: [Lane]
    /// How to draw a statechart.
    public var chart: JSONSlice?
    /// The version of the recorder.
    public var recorder: String?
    /// The format of the timeline, 1. A reader refuses a greater one before it reads anything else.
    public var format: Int64
    /// Unknown members.
    public var unknown: UnknownMembers

    /// Creates the fields of a timeline in the current format.
    public init(timeline: TimelineID, app: App, machine: Machine, started: Timestamp) {
      self.timeline = timeline
      self.app = app
      self.machine = machine
      self.started = started
      outputs = []
      lanes = []
      format = Int64(TimelineFormat.current)
      unknown = UnknownMembers()
    }
  }

  /// The app that was recorded.
  public struct App: Sendable {
    /// Its name.
    public var name: String
    /// Its version.
    public var version: String?
    /// The commit from which it was built.
    public var commit: String?
    /// The name of the executable.
    public var process: String?
    /// The process ID.
    public var pid: Int64?
    /// The host name.
    public var host: String?
    /// The operating system.
    public var platform: String?
    /// A name that all timelines of one run of the process share.
    public var run: String?
    /// Unknown members.
    public var unknown = UnknownMembers()

    /// Creates an app.
    public init(name: String) { self.name = name }
  }

  /// The machine that was recorded.
  public struct Machine: Sendable {
    /// Its type, qualified by the module.
    public var type: String
    /// The module of the type.
    public var module: String?
    /// The name under which it is recorded.
    public var name: String
    /// The kind of machine: `states`, `form`, `statechart`, `functional`, `feedback`, or `reducer`.
    /// Without one, or with another word, it is a machine without special features.
    public var kind: String?
    /// What makes a new machine: in Swift, the expression; in another language, any text, which is
    /// only compared with the `makes` of hosts.
    ///
    /// In an imported file it is untrusted: never copy it into code without validation.
    public var make: String?
    /// How states and events were encoded: absent if they encode themselves, `reflected` for
    /// reflection, and `caller` for values that could not leave the machine's thread.
    ///
    /// In the latter two forms, values can be viewed, but not decoded.
    public var encoding: String?
    /// Unknown members.
    public var unknown = UnknownMembers()

    /// Creates a machine.
    public init(type: String, name: String) {
      self.type = type
      self.name = name
    }
  }

  /// The parent of a branch.
  public struct Parent: Sendable {
    /// The parent's timeline.
    public var timeline: TimelineID
    /// The last entry of the parent that was used.
    public var through: Int64
    /// The first seq that the branch does not share with the parent.
    public var start: Int64
    /// The script that made the branch.
    public var edits: EditScript
    /// The branch's name.
    public var name: String?
    /// Whether the branch was computed from stand-ins for redacted values of the parent.
    public var isFromStandIns = false
    /// The predicate for which minimization made the branch, as text. A newer build may write
    /// predicates that this one cannot parse.
    public var failureText: String?
    /// Unknown members.
    public var unknown = UnknownMembers()

    /// Creates a parent.
    public init(
      timeline: TimelineID, through: Int64, start: Int64, edits: EditScript, name: String? = nil
    ) {
      self.timeline = timeline
      self.through = through
      self.start = start
      self.edits = edits
      self.name = name
    }
  }

  /// An output and its kind.
  public struct Output: Hashable, Sendable {
    /// The output's name.
    public var name: String
    /// Its use: `ui`, `data`, or `navigation`.
    public var kind: String

    /// Creates an output.
    public init(_ name: String, kind: String) {
      self.name = name
      self.kind = kind
    }
  }

  /// An event's name and its lane.
  public struct Lane: Hashable, Sendable {
    /// The event's name.
    public var event: String
    /// Its lane.
    public var lane: String

    /// Creates the lane of an event.
    public init(_ event: String, in lane: String) {
      self.event = event
      self.lane = lane
    }
  }
}
