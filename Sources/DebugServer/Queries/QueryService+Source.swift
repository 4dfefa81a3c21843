internal import JSONCore
internal import Wire

extension QueryService {
  func source(_ asked: FromInspector.Source) async throws -> ToInspector.Source {
    let entry = try await raw(
      FromInspector.Raw {
        $0.timeline = asked.timeline
        $0.seq = asked.seq
      }
    ).entry
    guard let site = entry["at"]?.string else {
      throw Refusal(
        .notFound, "Entry \(asked.seq) has no call site.", path: "seq", timeline: asked.timeline)
    }
    return try await callSites.lines(at: site, around: asked.around ?? CallSites.around)
  }
}
