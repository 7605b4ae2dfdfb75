/** Bytes of the values of each header type; -1 where the value states its own length. */
const VALUE_BYTES: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16]
const STRING = 7
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text headers of an AWS event stream message (`:event-type`, …); undefined when the block is damaged. */
export function readAwsHeaders(block: Uint8Array): ReadonlyMap<string, string> | undefined {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  const headers = new Map<string, string>()
  let at = 0
  while (at < block.length) {
    const nameEnd = at + 1 + view.getUint8(at)
    if (nameEnd + 1 > block.length) return undefined
    const name = UTF_8.decode(block.subarray(at + 1, nameEnd))
    const type = view.getUint8(nameEnd)
    let start = nameEnd + 1
    let length = VALUE_BYTES[type]
    if (length === undefined) return undefined
    if (length === -1) {
      if (start + 2 > block.length) return undefined
      length = view.getUint16(start)
      start += 2
    }
    at = start + length
    if (at > block.length) return undefined
    if (type === STRING) headers.set(name, UTF_8.decode(block.subarray(start, at)))
  }
  return headers
}
