internal import JSONCore
internal import Reruns
internal import TimelineStore
internal import Timelines
internal import Wire

extension QueryService {
  func timelines(_ asked: FromInspector.Timelines) async throws -> ToInspector.Timelines {
    let count = try asked.limit.map { try Self.count($0, path: "limit", limit: .max) }
    let records = try await store.read { reader in
      if let word = asked.named { return try reader.timelines(named: word, takesAll: asked.live) }
      if let count, asked.app == nil, !asked.live {
        return try reader.timelines(newest: count)
      }
      return try reader.timelines()
    }
    let wanted = records.filter { asked.app == nil || $0.app == asked.app }
    // Only the hub knows which ones are live.
    let most = asked.live ? .max : count ?? .max
    let summaries = try await summaries(of: Array(wanted.prefix(most)))
    return ToInspector.Timelines { $0.timelines = summaries }
  }

  func summaries(of timelines: [TimelineID]) async throws -> [ToInspector.TimelineSummary] {
    let records = try await store.read { reader in
      timelines.compactMap { try? reader.timeline($0) }
    }
    return try await summaries(of: records)
  }

  private func summaries(
    of records: [TimelineRecord]
  ) async throws -> [ToInspector.TimelineSummary] {
    let previews =
      await branches?.previews(of: records.filter { $0.computing != nil }.map(\.id)) ?? [:]
    return try records.map { record in
      var summary = try summary(record)
      guard let preview = previews[record.id], preview.last > summary.last ?? -1 else {
        return summary
      }
      summary.entries += preview.last - (summary.last ?? -1)
      summary.last = preview.last
      summary.duration = max(summary.duration, preview.t)
      return summary
    }
  }

  /// The last seq of a timeline, after which an inspector is notified.
  func lastSeq(of timeline: TimelineID?) async throws -> ToInspector.Done {
    guard let timeline else { return ToInspector.Done() }
    let record = try await store.read { try $0.timeline(timeline) }
    let preview = await branches?.previews(of: [timeline])[timeline]
    return ToInspector.Done {
      $0.seq = preview.map { max($0.last, record.last ?? -1) } ?? record.last
    }
  }

  func status() async throws -> ToInspector.Status {
    let records = try await store.read { try $0.timelines() }
    let state = store.state
    return ToInspector.Status {
      $0.daemon = DaemonVersion.product
      $0.timelines = Int64(records.count)
      // A branch's shared entries count for its parent.
      for record in records {
        $0.bytes &+= record.stored
        $0.entries &+= record.entries - (record.parent.map { max(0, $0.start) } ?? 0)
      }
      $0.store = store.place
      $0.machines = store.durability?.machines
      if case .refusing(let why) = state { $0.problem = why }
    }
  }

  /// A header whose ids are in lower case, as in every other message: peers compare texts, and files
  /// may have them in upper case.
  private static func canonical(_ header: JSONSlice, _ id: TimelineID) throws -> JSONSlice {
    let parent = header["parent"]?["timeline"]?.string
    let parentID = parent.flatMap { TimelineID($0)?.text }
    guard header["timeline"]?.string != id.text || parent != parentID,
      case .object(var members) = header.value
    else { return header }
    members["timeline"] = .string(id.text)
    if let parentID, case .object(var origin)? = members["parent"] {
      origin["timeline"] = .string(parentID)
      members["parent"] = .object(origin)
    }
    return try JSONSlice(validating: JSON.object(members).encoded())
  }

  func summary(_ record: TimelineRecord) throws -> ToInspector.TimelineSummary {
    let header: JSONSlice
    do {
      header = try Self.canonical(try JSONSlice(validating: record.header), record.id)
    } catch {
      throw Refusal(.failed, "The header of \(record.id) cannot be read.", timeline: record.id)
    }
    return ToInspector.TimelineSummary {
      $0.header = header
      $0.name = record.name
      $0.entries = record.entries
      $0.first = record.first
      $0.last = record.last
      $0.durable = record.last
      $0.bytes = record.stored
      $0.duration = record.duration
      $0.computing = record.computing
      $0.ended = record.ended
      $0.gap = record.lostAtEnd
      $0.branches = record.branches > 0 ? record.branches : nil
      if !record.marks.isEmpty {
        $0.marks = record.marks.map { mark in
          ToInspector.TimelineMark {
            $0.seq = mark.seq
            $0.text = mark.text
          }
        }
      }
    }
  }
}

extension FromInspector.Timelines {
  /// How many are wanted; `nil` for all.
  var count: Int? { limit.map { Int(clamping: max(0, $0)) } }
}
