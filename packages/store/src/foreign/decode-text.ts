/** Encodings of texts in SQLite files, as `pragma encoding` names them. */
export type TextEncodingName = 'UTF-8' | 'UTF-16le' | 'UTF-16be'

/** Returns undefined for bytes that are not a text; a mark of the byte order stays in the text, as the database keeps it. */
export function textDecoder(encoding: TextEncodingName): (bytes: Uint8Array) => string | undefined {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  return (bytes) => {
    try {
      return decoder.decode(bytes)
    } catch {
      return undefined
    }
  }
}
