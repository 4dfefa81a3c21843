internal import JSONCore
internal import Timelines

extension FuzzTarget {
  /// Any bytes are refused with a place, or are a timeline that can be written and read again. The
  /// recovered part of a damaged file is a timeline, too.
  static let timeline = FuzzTarget(name: "timeline") { bytes in
    var isWhole = false
    do throws(TimelineFileError) {
      let contents = try TimelineFile.read(bytes)
      isWhole = true
      let file = TimelineFile.bytes(of: contents.timeline)
      let again = try? TimelineFile.read(file)
      promise(again != nil, "what was written is read")
      promise(again?.torn == nil, "what was written is whole")
      let rewritten = (again?.timeline).map(TimelineFile.bytes(of:))
      promise(rewritten == file, "a timeline's file is the same once read again")
    } catch {
      promise(!error.description.isEmpty, "an error says what is wrong")
    }
    guard let recovered = try? TimelineFile.recover(bytes) else {
      return promise(!isWhole, "what is read can be recovered")
    }
    let saved = TimelineFile.bytes(of: recovered.timeline)
    promise((try? TimelineFile.read(saved)) != nil, "what was recovered is a timeline")
    if isWhole {
      promise(recovered.skippedCount == 0, "of a file that is read nothing is left out")
    }
  }
}
