// What to say of a word that has no meaning where it is.
extension PredicateParser {
  /// The words that values begin with.
  static let beginnings =
    Predicate.Root.allCases.map(\.rawValue).filter { !$0.contains(".") }
    + ["anywhere", "before", "true", "false", "null"]

  static func unknownName(_ word: String, isCall: Bool) -> String {
    let names =
      isCall
      ? ["changed", "contains", "includes", "matches", "sum"] : beginnings
    if !isCall, word.lowercased() == "not" { return "'not' is written '!'" }
    let what = isCall ? "no condition" : "no value"
    if let near = Spelling.nearest(to: word, among: names) {
      return "\(what) is called '\(word)'; did you mean '\(near)'?"
    }
    return isCall
      ? "no condition is called '\(word)'; there are changed, contains, includes, and matches"
      : "no value is called '\(word)'; did you mean 'state.\(word)'?"
  }

  static func afterCondition(_ word: String) -> String {
    switch word.lowercased() {
    case "and": "'and' is written '&&'"
    case "or": "'or' is written '||'"
    case "not": "'not' is written '!'"
    case "is", "equals": "a comparison for equality is written '=='"
    default:
      if let near = Spelling.nearest(to: word, among: ["contains", "includes", "matches"]) {
        "no comparison is called '\(word)'; did you mean '\(near)'?"
      } else {
        "'&&' or '||' was expected between two conditions"
      }
    }
  }
}
