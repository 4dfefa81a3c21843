/// The secrets of a machine so far, which are masked in everything that is written about it.
package struct RedactionMemory: Sendable {
  let secrets: SecretTexts
}
