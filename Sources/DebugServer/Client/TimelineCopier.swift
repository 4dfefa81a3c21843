internal import JSONCore
package import Timelines
internal import Wire

/// Copies timelines from one daemon to another.
///
/// It keeps nothing between calls: what the target has decides where a copy continues, so a copy
/// that was interrupted anywhere is completed by copying again.
///
/// ```swift
/// let copier = TimelineCopier(from: local, to: remote)
/// try await copier.copy(timeline) { event in show(event) }
/// ```
package struct TimelineCopier: Sendable {
  /// What was copied of a timeline.
  package struct Copy: Hashable, Sendable {
    package var timeline: TimelineID
    /// How many entries were sent.
    package var entries: Int64 = 0
    /// How many bytes of them were sent, compressed.
    package var bytes: Int64 = 0
    /// Whether marks, a name, or the end were added.
    package var isCompleted = false
    /// Whether the target had more entries than the source.
    package var isAhead = false

    /// Whether the target had everything.
    package var isUnchanged: Bool { entries == 0 && !isCompleted }
  }

  /// How far the copy of a timeline is.
  package struct Progress: Hashable, Sendable {
    package var timeline: TimelineID
    package var machine: String
    /// The last entry that was copied.
    package var last: Int64
    /// The last entry to copy.
    package var through: Int64
    /// The compressed bytes that were sent.
    package var bytes: Int64
  }

  private let source: any Backend
  private let target: any Backend

  package init(from source: any Backend, to target: any Backend) {
    self.source = source
    self.target = target
  }

  /// The maximum number of parents above a timeline.
  private static let maximumDepth = 1_000

  /// The maximum number of marks in a message.
  private static let marksInMessage = 500

  /// Copies a timeline, its parents first, except those that were copied already.
  package func copy(
    _ timeline: TimelineID, except done: Set<TimelineID> = [],
    report: @Sendable (Transfer.Event) -> Void = { _ in }
  ) async throws {
    for original in try await lineage(of: timeline, except: done) {
      report(.copied(try await copy(original) { report(.progress($0)) }))
    }
  }

  /// A timeline and the parents whose entries it shares, the oldest first.
  private func lineage(
    of timeline: TimelineID, except done: Set<TimelineID>
  ) async throws -> [Original] {
    var originals: [Original] = []
    var next: TimelineID? = timeline
    while let id = next, !done.contains(id) {
      guard originals.count < Self.maximumDepth, !originals.contains(where: { $0.id == id }) else {
        throw CopyError("The timeline \(timeline) is a branch of itself, so it cannot be copied.")
      }
      let manifest = try await source.ask(FromInspector.Manifest { $0.timeline = id })
      let original = try Original(id, manifest)
      originals.append(original)
      next = manifest.shares ? original.header.parent?.timeline : nil
    }
    return originals.reversed()
  }

  private func copy(
    _ original: Original, _ report: @Sendable (Progress) -> Void
  ) async throws -> Copy {
    let offer = try await target.ask(
      FromInspector.Offer {
        $0.header = original.manifest.header
        $0.first = original.manifest.first
        $0.last = original.manifest.last
        $0.shares = original.manifest.shares
      })
    try await compare(original, offer)
    var copy = Copy(timeline: original.id)
    if let last = original.manifest.last {
      copy.isAhead = (offer.last ?? -1) > last
      try await send(original, after: offer.last, through: last, &copy, report)
    }
    try await finish(original, offer, &copy)
    return copy
  }

  /// Refuses to continue a copy that has other entries under the same id.
  private func compare(_ original: Original, _ offer: ToInspector.Offer) async throws {
    if let first = original.manifest.first, let last = offer.last, first - 1 > last {
      throw CopyError(
        """
        The copy of \(original.id) ends at entry \(last), and the entries up to \(first - 1) were \
        deleted here, so it cannot continue. To replace it, delete it there first: \
        debugd delete \(original.id)
        """)
    }
    guard let compared = offer.compared else { return }
    let manifest = try await source.ask(
      FromInspector.Manifest {
        $0.timeline = original.id
        $0.compared = compared
      })
    guard manifest.digest != offer.digest || offer.digest == nil else { return }
    let (from, to) = (compared.seqs.lowerBound, compared.seqs.upperBound)
    throw CopyError(
      """
      The timeline \(original.id) exists there with other entries, somewhere from \(from) to \(to). \
      Nothing was changed. To replace it, delete it there first: debugd delete \(original.id)
      """)
  }

  private func send(
    _ original: Original, after start: Int64?, through: Int64, _ copy: inout Copy,
    _ report: @Sendable (Progress) -> Void
  ) async throws {
    var cursor = CopyCursor(after: start)
    while (cursor.after ?? -1) < through {
      try Task.checkCancellation()
      let place = cursor
      let chunks = try await source.ask(
        FromInspector.Fetch {
          $0.timeline = original.id
          $0.after = place.after
          $0.offset = place.part?.offset
        }
      ).chunks
      guard !chunks.isEmpty else {
        throw BackendError.unexpected("no chunks before entry \(through)")
      }
      guard try cursor.advance(over: chunks) else { continue }
      guard try await deposit(chunks, of: original, at: place) else {
        cursor = place.atStartOfChunk()
        continue
      }
      copy.bytes += chunks.reduce(0) { $0 + $1.dataBytes }
      if cursor.part == nil { copy.entries += chunks.reduce(0) { $0 + $1.last - $1.first + 1 } }
      report(
        Progress(
          timeline: original.id, machine: original.header.machine.name, last: cursor.after ?? -1,
          through: through, bytes: copy.bytes))
    }
  }

  /// Sends chunks. Returns false if the target no longer has the earlier parts of the chunk that they
  /// continue.
  private func deposit(
    _ chunks: [CopiedChunk], of original: Original, at place: CopyCursor
  ) async throws -> Bool {
    do {
      _ = try await target.ask(
        FromInspector.Deposit {
          $0.timeline = original.id
          $0.chunks = chunks
        })
      return true
    } catch {
      guard Self.isConflict(error), place.canRestart else { throw error }
      return false
    }
  }

  private static func isConflict(_ error: any Error) -> Bool {
    guard let error = error as? BackendError, case .refused(let reply) = error else { return false }
    return reply.code == .conflict
  }

  private func finish(
    _ original: Original, _ offer: ToInspector.Offer, _ copy: inout Copy
  ) async throws {
    let manifest = original.manifest
    let marked = Set(offer.marked ?? [])
    var marks = (manifest.marks ?? []).filter { !marked.contains($0.seq) }
    let isClosing = manifest.closed && (!offer.closed || copy.entries > 0)
    let name = offer.named ? nil : manifest.name
    let ended = offer.ended == nil ? manifest.ended : nil
    guard !marks.isEmpty || isClosing || name != nil || ended != nil else { return }
    repeat {
      let batch = marks.prefix(Self.marksInMessage)
      marks.removeFirst(batch.count)
      let isLast = marks.isEmpty
      _ = try await target.ask(
        FromInspector.Finish {
          $0.timeline = original.id
          $0.marks = batch.isEmpty ? nil : Array(batch)
          guard isLast else { return }
          $0.name = name
          $0.closed = isClosing
          $0.gap = isClosing ? manifest.gap : nil
          $0.ended = ended
        })
    } while !marks.isEmpty
    copy.isCompleted = true
  }
}

/// A timeline to copy.
private struct Original {
  let id: TimelineID
  let header: Header
  let manifest: ToInspector.Manifest

  init(_ id: TimelineID, _ manifest: ToInspector.Manifest) throws {
    do {
      header = try Header(receiving: manifest.header)
    } catch {
      throw CopyError("The header of \(id) cannot be read: \(error)")
    }
    guard header.timeline == id else {
      throw BackendError.unexpected("the header of another timeline")
    }
    self.id = id
    self.manifest = manifest
  }
}

/// Why a timeline is not copied, as a sentence.
package struct CopyError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
