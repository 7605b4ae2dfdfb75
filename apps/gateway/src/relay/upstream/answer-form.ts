const BRACE = 0x7b
const JSON_SPACE = new Set([0x20, 0x09, 0x0a, 0x0d])
/** Fields of an event (WHATWG HTML, 9.2.6), or a comment; JSON and HTML pages begin differently. */
const EVENT = /^[\r\n]*(?:(?:data|event|id|retry):|:)/

/** Removes the UTF-8 byte order mark that some servers send although JSON does not allow it (RFC 8259, 8.1). */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/** Whether the bytes are a JSON object rather than events, whatever their content type. */
export function beginsObject(bytes: Buffer): boolean {
  return bytes.find((byte) => !JSON_SPACE.has(byte)) === BRACE
}

/** Whether the bytes are events rather than JSON or a page, whatever their content type. */
export function beginsEvents(bytes: Buffer): boolean {
  return EVENT.test(bytes.toString('latin1', 0, 64))
}
