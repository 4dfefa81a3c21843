import DebugServer
import Foundation
internal import Reruns

/// What `--host` takes: an executable, what follows its name, and the app it is for.
///
/// ```
/// .build/debug/Commute
/// Commute=.build/debug/Commute --scene host
/// Commute@2.4=/srv/commute-2.4/Commute
/// 'My App'="/srv/My App/app" 'one argument'
/// ```
enum HostOption {
  /// Reads a value; paths begin in a folder, unless they are absolute.
  static func spec(_ text: String, in folder: String) throws(ArgumentError) -> HostSpec {
    // A path with spaces is often written as it is.
    if isFile(absolute(text, in: folder)) { return HostSpec(path: absolute(text, in: folder)) }
    var words = try words(of: text)
    guard !words.isEmpty else { throw problem("the path of an executable", text) }
    let first = words.removeFirst()
    let (name, path) = parts(of: first)
    let (app, version) = name.map(versioned) ?? (nil, nil)
    guard !path.isEmpty, app?.isEmpty != true, version.map(HostSpec.isVersion) != false else {
      throw problem("the path of an executable after APP= or APP@VERSION=", text)
    }
    return HostSpec(path: absolute(path, in: folder), arguments: words, app: app, version: version)
  }

  /// `APP@VERSION`, where the name may have an at sign of its own.
  private static func versioned(_ name: String) -> (app: String?, version: String?) {
    guard let sign = name.lastIndex(of: "@") else { return (name, nil) }
    return (String(name[..<sign]), String(name[name.index(after: sign)...]))
  }

  /// `APP=PATH`, where a path with an equals sign of its own has a slash before it.
  private static func parts(of word: String) -> (app: String?, path: String) {
    guard let equals = word.firstIndex(of: "="), !word[..<equals].contains("/") else {
      return (nil, word)
    }
    return (String(word[..<equals]), String(word[word.index(after: equals)...]))
  }

  /// The words of a line, as a shell divides it: quotes hold together, a backslash takes the next
  /// character as it is; nothing is replaced.
  private static func words(of text: String) throws(ArgumentError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isEscaped = false
    for character in text {
      if isEscaped {
        word = (word ?? "") + String(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if character == open { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == " " || character == "\t" {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isEscaped else { throw problem("quotes that end", text) }
    if let word { words.append(word) }
    return words
  }

  private static func absolute(_ path: String, in folder: String) -> String {
    var rest = path[...]
    while rest.hasPrefix("./") { rest = rest.dropFirst(2) }
    return path.hasPrefix("/") ? path : folder + "/" + rest
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }

  private static func problem(_ what: String, _ text: String) -> ArgumentError {
    ArgumentError("--host takes \(what), not \(Escaped.quoted(text)).", command: "serve")
  }
}
