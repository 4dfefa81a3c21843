package import Timelines

extension RedactionRules {
  /// A schema with nothing in its samples that the rules hide: it goes into every header.
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
    // What one sample hides may be in another.
    schema.changeSamples { sample in
      var parts = Redactor.Parts(event: sample)
      redactor.mask(&parts, found)
      return parts.event ?? sample
    }
    return schema
  }
}
