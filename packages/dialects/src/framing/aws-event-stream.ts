import type { Frame } from '../canon/codec.ts'
import { asObject, parseJson } from '../json-value.ts'
import type { FrameReader } from './frames.ts'
import { EVENT_LIMIT } from './sse.ts'

/** Total length, header length and their checksum: 32 bits each, big endian. */
const PRELUDE_BYTES = 12
const CHECKSUM_BYTES = 4
/** AWS states 128 KiB. */
const HEADERS_LIMIT = 128 * 1024
/** Bytes of buffer kept between messages. */
const BUFFER_KEPT = 64 * 1024
const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * AWS event streams (`application/vnd.amazon.eventstream`). Both checksums of each message are checked; reading ends at the first
 * damaged message. An incomplete message is not returned, because it cannot be checked. The `chunk` messages of InvokeModel become
 * the events inside.
 */
export function openAwsFrames(limit: number = EVENT_LIMIT): FrameReader {
  return new MessageReader(limit)
}

class MessageReader implements FrameReader {
  fault: string | undefined

  readonly #limit: number
  /** Headers of the last message: nearly all messages of a stream have the same ones. */
  #block = new Uint8Array(0)
  #headers: ReadonlyMap<string, string> | undefined = new Map()
  #buffer = new Uint8Array(1_024)
  #filled = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  push(chunk: Uint8Array): readonly Frame[] {
    const frames: Frame[] = []
    let at = 0
    while (at < chunk.length && this.fault === undefined) {
      const wanted = this.#wantedBytes()
      const taken = Math.min(wanted - this.#filled, chunk.length - at)
      this.#keep(chunk.subarray(at, at + taken), wanted)
      at += taken
      if (this.#filled < wanted) break
      if (wanted === PRELUDE_BYTES) this.#checkPrelude()
      else this.#takeMessage(frames)
    }
    return frames
  }

  end(): readonly Frame[] {
    return []
  }

  /** The prelude's length until it has arrived, then the message's. */
  #wantedBytes(): number {
    return this.#filled < PRELUDE_BYTES ? PRELUDE_BYTES : this.#word(0)
  }

  /** The buffer grows with what has arrived, not with what was announced. */
  #keep(bytes: Uint8Array, wanted: number): void {
    const length = this.#filled + bytes.length
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, Math.min(wanted, this.#buffer.length * 2)))
      larger.set(this.#buffer.subarray(0, this.#filled))
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.#filled)
    this.#filled = length
  }

  #checkPrelude(): void {
    const total = this.#word(0)
    const headers = this.#word(4)
    if (crc32(this.#buffer.subarray(0, 8)) !== this.#word(8)) this.#fail('the prelude of a message is damaged')
    else if (total > this.#limit) this.#fail(`one message exceeds ${this.#limit} bytes`)
    else if (headers > HEADERS_LIMIT || headers + PRELUDE_BYTES + CHECKSUM_BYTES > total) {
      this.#fail('the lengths in a message are inconsistent')
    }
  }

  #takeMessage(frames: Frame[]): void {
    const end = this.#filled - CHECKSUM_BYTES
    if (crc32(this.#buffer.subarray(0, end)) !== this.#word(end)) {
      this.#fail('a message is damaged')
      return
    }
    const headersEnd = PRELUDE_BYTES + this.#word(4)
    const headers = this.#readHeaders(this.#buffer.subarray(PRELUDE_BYTES, headersEnd))
    if (headers === undefined) {
      this.#fail('the headers of a message are damaged')
      return
    }
    frames.push(frameOf(headers, UTF_8.decode(this.#buffer.subarray(headersEnd, end))))
    this.#filled = 0
    if (this.#buffer.length > BUFFER_KEPT) this.#buffer = new Uint8Array(1_024)
  }

  #readHeaders(block: Uint8Array): ReadonlyMap<string, string> | undefined {
    if (!isEqual(block, this.#block)) {
      this.#block = block.slice()
      this.#headers = readAwsHeaders(block)
    }
    return this.#headers
  }

  #fail(reason: string): void {
    this.fault = reason
    this.#buffer = new Uint8Array(0)
    this.#filled = 0
  }

  #word(at: number): number {
    const [a = 0, b = 0, c = 0, d = 0] = [
      this.#buffer[at],
      this.#buffer[at + 1],
      this.#buffer[at + 2],
      this.#buffer[at + 3],
    ]
    return ((a << 24) | (b << 16) | (c << 8) | d) >>> 0
  }
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

function frameOf(headers: ReadonlyMap<string, string>, payload: string): Frame {
  switch (headers.get(':message-type')) {
    case 'exception':
      return { name: `exception:${headers.get(':exception-type') ?? ''}`, data: payload }
    case 'error': {
      const message = headers.get(':error-message') ?? ''
      return { name: `exception:${headers.get(':error-code') ?? ''}`, data: JSON.stringify({ message }) }
    }
    default: {
      const name = headers.get(':event-type') ?? ''
      return (name === 'chunk' ? insideChunk(payload) : undefined) ?? { name, data: payload }
    }
  }
}

/** InvokeModel wraps a model's own event: `{"bytes": base64, "p": padding}`. Its `type` is the frame's name. */
function insideChunk(payload: string): Frame | undefined {
  const bytes = asObject(parseJson(payload))?.['bytes']
  const data = typeof bytes === 'string' ? decodeBase64(bytes) : undefined
  if (data === undefined) return undefined
  const type = asObject(parseJson(data))?.['type']
  return { name: typeof type === 'string' ? type : '', data }
}

function decodeBase64(text: string): string | undefined {
  try {
    const letters = atob(text)
    const bytes = new Uint8Array(letters.length)
    for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i)
    return UTF_8.decode(bytes)
  } catch {
    return undefined
  }
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1
  return crc
})

/** ISO-HDLC, unsigned: the checksum of gzip, PNG and AWS event streams. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ (TABLE[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}

/** Value bytes of each header type; -1 if the value states its own length. */
const VALUE_BYTES: readonly number[] = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16]
const STRING = 7
/** The text headers (`:event-type`, …); undefined if the block is damaged. */
function readAwsHeaders(block: Uint8Array): ReadonlyMap<string, string> | undefined {
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
