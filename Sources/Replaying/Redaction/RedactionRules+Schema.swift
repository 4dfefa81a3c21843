package import Timelines

extension RedactionRules {
  /// The schema for headers, with redacted samples.
  package func hiding(in schema: EventSchema) -> EventSchema {
    guard !isEmpty else { return schema }
    var schema = schema
    var redactor = Redactor(self)
    let (found, marks) = (redactor.makeFindings(), RedactionMarks(key: .process))
    schema.changeSamples { sample in
      var parts = Redactor.Parts(event: sample)
      redactor.hide(in: &parts, marks, found)
      return parts.event ?? sample
    }
    // A secret of one sample may be in another.
    schema.changeSamples { sample in
      var parts = Redactor.Parts(event: sample)
      redactor.mask(&parts, found)
      return parts.event ?? sample
    }
    return schema
  }
}
