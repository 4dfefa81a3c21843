/// The version of this package. `scripts/check-version` compares the documents with it.
package enum ProductVersion {
  package static let current = "0.2.0"
}
