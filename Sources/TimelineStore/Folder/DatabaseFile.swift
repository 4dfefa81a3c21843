/// The SQLite database in a data folder.
enum DatabaseFile {
  static let name = "timelines.sqlite"
}
