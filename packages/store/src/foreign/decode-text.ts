/** Encodings of texts in SQLite files, as `pragma encoding` names them. */
export type TextEncodingName = 'UTF-8' | 'UTF-16le' | 'UTF-16be'

/** Returns undefined for bytes that are not a text; a byte order mark stays in the text, as in the database. */
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
