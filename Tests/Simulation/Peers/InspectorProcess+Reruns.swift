import Foundation
import JSONCore
import Timelines
import Wire

// An inspector that has hosts run a timeline again, and that imports files.
extension InspectorProcess {
  /// Has a host run a timeline again. Any answer will do, unless every host is right.
  func verify(_ timeline: TimelineID) {
    ask(.verify(FromInspector.Verify { $0.timeline = timeline })) { [weak self] answer in
      guard let self, case .verify(let verified) = answer.body, verified.outcome == .differs else {
        return
      }
      guard world.plan.recorders.allSatisfy({ ![.wrong, .empty].contains($0.host) }) else { return }
      world.fail(
        "verifies", "\(name) hears that \(timeline) differs at \(verified.seq ?? -1).")
    }
  }

  /// Imports the timeline of a machine that ran elsewhere, in parts of a few hundred bytes.
  func importFile(using chance: inout Chance) {
    let book = world.book.begin(world.newTimeline(), owner: "a file of \(name)")
    // Unless the daemon says that all of it was imported, nothing has to be there.
    book.isAbandoned = true
    guard let file = ImportedFile(book, entries: chance.pick(1...12), using: &chance) else {
      return world.fail("imports", "The file cannot be made.")
    }
    ask(
      .import(
        FromInspector.Import {
          $0.name = "elsewhere.timeline"
          $0.bytes = Int64(file.bytes.count)
        })
    ) { [weak self] answer in
      guard case .import(let begun) = answer.body else { return }
      self?.sendPart(of: file, to: begun, from: 0, book)
    }
  }

  private func sendPart(
    of file: ImportedFile, to upload: ToInspector.Import, from start: Int, _ book: TimelineBook
  ) {
    let end = min(file.bytes.count, start + min(file.partBytes, Int(upload.partBytes)))
    let isLast = end == file.bytes.count
    ask(
      .part(
        FromInspector.Part {
          $0.upload = upload.upload
          $0.offset = Int64(start)
          $0.data = Data(file.bytes[start..<end]).base64EncodedString()
          $0.last = isLast
        })
    ) { [weak self] answer in
      guard let self, case .import(let imported) = answer.body else { return }
      guard isLast else { return sendPart(of: file, to: upload, from: end, book) }
      guard imported.timelines == [book.id] else {
        return world.fail("imports", "\(name) imported \(book.id), and got a different result.")
      }
      book.imported()
    }
  }
}

/// A file with the timeline of a scripted machine.
struct ImportedFile {
  private(set) var bytes: [UInt8]
  let partBytes: Int

  init?(_ book: TimelineBook, entries: Int, using chance: inout Chance) {
    var machine = Header.Machine(type: "App.Model", name: "elsewhere")
    machine.kind = "states"
    machine.make = "Model()"
    let fields = Header.Fields(
      timeline: book.id, app: Header.App(name: "Elsewhere"), machine: machine,
      started: Timestamp(microseconds: World.wallClock))
    bytes = fields.line + [UInt8(ascii: "\n")]
    partBytes = chance.pick(100...2_000)
    var state = ModelState()
    for seq in 0..<entries {
      var draft = EntryDraft(seq: Int64(seq), t: Int64(seq) * 1_000)
      let event: ModelEvent? = seq == 0 ? nil : .random(using: &chance)
      draft.event = event.map { Array($0.text.utf8)[...] }
      draft.patch = event.map { Array(state.reduce($0).utf8)[...] }
      if seq == 0 { draft.state = Array(state.text.utf8)[...] }
      book.add(event, state)
      bytes += draft.line + [UInt8(ascii: "\n")]
    }
  }
}
