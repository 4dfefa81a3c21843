public import JSONCore

/// The first line of a timeline: whose it is, and how to read it.
///
/// A header *is* its line, as an entry is: whoever passes it on passes on the same bytes. To make
/// one, fill in ``Fields-swift.struct`` and call ``init(_:)``.
///
/// ```swift
/// let header = try Header(reading: line)
/// header.app.name       // "Commute"
/// header.machine.type   // "Commute.CommuteState"
/// ```
@dynamicMemberLookup
public struct Header: Sendable {
  /// The line as it was read, without the white space around it.
  public let line: JSONSlice

  /// What it says.
  public let fields: Fields

  /// Reads a line; a newer format is refused before anything else is looked at.
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

  /// Reads the header of a timeline that comes from outside: a file, or a recorder.
  ///
  /// Refuses one that could not be stored as it is. What is stored already is read without this
  /// check, so that it can be looked at and deleted.
  package init(receiving line: JSONSlice) throws(HeaderError) {
    try self.init(reading: line)
    if fields.parent?.timeline == fields.timeline {
      throw HeaderError(.ownParent, key: "parent.timeline", at: 0)
    }
  }

  /// Reads an object that was checked already, as part of a message; its text is shared.
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
  /// The raw values among the fields must each be on one line.
  public init(_ fields: Fields) throws(HeaderError) {
    try self.init(reading: fields.line)
  }

  /// A field.
  public subscript<Value>(dynamicMember path: KeyPath<Fields, Value>) -> Value {
    fields[keyPath: path]
  }
}

extension Header {
  /// What a header says.
  public struct Fields: Sendable {
    /// The timeline's name.
    public var timeline: TimelineID
    /// The app that was recorded.
    public var app: App
    /// The machine in it.
    public var machine: Machine
    /// The wall clock when the timeline started; `t` counts from here.
    public var started: Timestamp
    /// What it was forked from, when it is a branch.
    public var parent: Parent?
    /// Where the process stood when `fork()` made this one of it.
    public var forkedFrom: EntryReference?
    /// The schema of the event type, as its own reader takes it.
    public var schema: JSONSlice?
    /// The machine's outputs and their kinds, in the order of declaration.
    public var outputs: [Output]
    /// The lanes of the timeline for events by name, where the user gave some.
    public var lanes: [Lane]
    /// The structure of a chart, as its own reader takes it.
    public var chart: JSONSlice?
    /// The version of the recorder.
    public var recorder: String?
    /// The format of the timeline.
    public var format: Int64
    /// Members that this build does not know.
    public var unknown: UnknownMembers

    /// Fields of a timeline in the current format.
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
    /// The name of the executable.
    public var process: String?
    /// The process.
    public var pid: Int64?
    /// The name of the computer.
    public var host: String?
    /// The operating system.
    public var platform: String?
    /// A name that all timelines of one run of the process share.
    public var run: String?
    /// Members that this build does not know.
    public var unknown = UnknownMembers()

    /// An app of that name.
    public init(name: String) { self.name = name }
  }

  /// The machine that was recorded.
  public struct Machine: Sendable {
    /// Its type, qualified by the module.
    public var type: String
    /// The module of the type.
    public var module: String?
    /// What it is recorded as.
    public var name: String
    /// The kind of machine.
    public var kind: String?
    /// The Swift expression that makes a fresh one.
    ///
    /// In an imported file it is an attacker's text: never write it into code unseen.
    public var make: String?
    /// How states and events got into entries: absent where they encoded themselves, `reflected` where
    /// they are what reflection shows, `caller` where they could not leave the machine's thread.
    ///
    /// Of the latter two nobody can make values again: they can be looked at, not sent back.
    public var encoding: String?
    /// Members that this build does not know.
    public var unknown = UnknownMembers()

    /// A machine of that type and name.
    public init(type: String, name: String) {
      self.type = type
      self.name = name
    }
  }

  /// What a branch was forked from.
  public struct Parent: Sendable {
    /// The parent.
    public var timeline: TimelineID
    /// The parent's last entry that took part.
    public var through: Int64
    /// The first seq that the branch does not share with the parent.
    public var start: Int64
    /// The script that made the branch.
    public var edits: EditScript
    /// The branch's name.
    public var name: String?
    /// Whether the parent holds stand-ins for redacted values, from which the branch is computed.
    public var isFromStandIns = false
    /// The failure that the branch has the fewest events for, when minimizing made it.
    public var failure: Predicate?
    /// Members that this build does not know.
    public var unknown = UnknownMembers()

    /// A parent and what was done to it.
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
    /// What it drives: `ui`, `data`, `navigation`.
    public var kind: String

    /// An output of that kind.
    public init(_ name: String, kind: String) {
      self.name = name
      self.kind = kind
    }
  }

  /// An event's name and its lane.
  public struct Lane: Hashable, Sendable {
    /// The event's name.
    public var event: String
    /// The lane that shows it.
    public var lane: String

    /// The lane of an event.
    public init(_ event: String, in lane: String) {
      self.event = event
      self.lane = lane
    }
  }
}
