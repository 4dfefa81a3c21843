/// Bundles JavaScript modules that import each other by name and without cycles into one.
struct JoinedModules {
  /// The bundled module.
  private(set) var text = ""
  private var numbers: [String: Int] = [:]
  private var isOpen: Set<String> = []

  /// Bundles a module with all its imports; `nil` if something cannot be read or is not supported.
  init?(from path: String, read: (String) -> String?) {
    guard add(path, read: read) != nil else { return nil }
  }

  /// Adds a module after its imports; returns its number.
  private mutating func add(_ path: String, read: (String) -> String?) -> Int? {
    if let number = numbers[path] { return number }
    guard isOpen.insert(path).inserted, let source = read(path), var module = Module(source) else {
      return nil
    }
    for (index, statement) in module.imports.enumerated() {
      guard let other = Self.resolve(statement.from, in: path), let number = add(other, read: read)
      else { return nil }
      module.imports[index].number = number
    }
    let number = numbers.count
    numbers[path] = number
    text += module.text(numbered: number, at: path)
    return number
  }

  /// The path in the folder that a module's reference names; `nil` if it leads out of the folder.
  private static func resolve(_ reference: String, in module: String) -> String? {
    guard reference.hasPrefix("./") || reference.hasPrefix("../") else { return nil }
    var parts = module.split(separator: "/").dropLast()
    for part in reference.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": guard parts.popLast() != nil else { return nil }
      default: parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }
}

/// A module, parsed into imports, exports, and other lines.
private struct Module {
  struct Import {
    /// `a, b: c`: the imported names, with their local names.
    let names: String
    let from: String
    var number = 0
  }

  var imports: [Import] = []
  private var exports: [String] = []
  private var body: [Substring] = []

  /// The start of an exported declaration; its name follows.
  private static let declarations = [
    "async function* ", "async function ", "function* ", "function ", "class ", "const ",
  ]

  /// `nil` if it uses syntax that the page's own modules do not use.
  init?(_ source: String) {
    var lines = source.split(separator: "\n", omittingEmptySubsequences: false)[...]
    // Imports are at the start, among comments; later text that runningQueries like one is not.
    while let line = lines.first {
      let isComment = line.hasPrefix("/*") || line.hasPrefix(" *") || line.hasPrefix("//")
      guard line.isEmpty || isComment || line.hasPrefix("import ") else { break }
      if line.hasPrefix("import ") {
        guard parseImport(&lines) else { return nil }
      } else {
        body.append(lines.removeFirst())
      }
    }
    for line in lines {
      guard line.hasPrefix("export ") else {
        body.append(line)
        continue
      }
      guard parseExport(line.dropFirst("export ".count)) else { return nil }
    }
  }

  /// Parses an import of one or more lines; returns false if it imports anything but names.
  private mutating func parseImport(_ lines: inout ArraySlice<Substring>) -> Bool {
    var statement = ""
    while let line = lines.popFirst() {
      statement += line
      if line.hasSuffix(";") { break }
    }
    guard statement.hasPrefix("import {"), statement.hasSuffix("\";"),
      let close = statement.firstIndex(of: "}")
    else { return false }
    let names = statement[..<close].dropFirst("import {".count)
    let rest = statement[close...].dropFirst()
    guard rest.hasPrefix(" from \"") else { return false }
    let taken = names.split(separator: ",").map { name in
      let words = name.split(separator: " ")
      return words.count == 3 && words[1] == "as"
        ? "\(words[0]): \(words[2])" : words.joined(separator: " ")
    }
    imports.append(
      Import(
        names: taken.filter { !$0.isEmpty }.joined(separator: ", "),
        from: String(rest.dropFirst(" from \"".count).dropLast("\";".count))))
    return true
  }

  /// Parses an exported declaration, or a list of names.
  private mutating func parseExport(_ line: Substring) -> Bool {
    if line.hasPrefix("{"), line.hasSuffix("};") {
      let names = line.dropFirst().dropLast("};".count).split(separator: ",")
        .map { $0.drop { $0 == " " }.split(separator: " ") }
      guard names.allSatisfy({ $0.count <= 1 }) else { return false }
      exports += names.compactMap { $0.first.map(String.init) }
      return true
    }
    guard let start = Self.declarations.first(where: { line.hasPrefix($0) }) else { return false }
    let name = line.dropFirst(start.count)
      .prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    guard !name.isEmpty else { return false }
    exports.append(String(name))
    body.append(line)
    return true
  }

  /// The module as a function that is called at once.
  func text(numbered number: Int, at path: String) -> String {
    var text = "const module\(number) = (() => {\n"
    for statement in imports {
      text += "const { \(statement.names) } = module\(statement.number);\n"
    }
    // A module's own URL stays that of its file.
    for line in body {
      let parts = line.split(separator: "import.meta.url", omittingEmptySubsequences: false)
      text += parts.joined(separator: "new URL(\"\(path)\", import.meta.url).href") + "\n"
    }
    return text + "return { \(exports.joined(separator: ", ")) };\n})();\n"
  }
}
