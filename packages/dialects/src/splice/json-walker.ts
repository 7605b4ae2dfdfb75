import { afterSequence, isCommonTriple, isContinuation } from './utf8.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const COMMA = 0x2c
const COLON = 0x3a
const MINUS = 0x2d
const ZERO = 0x30

/** Real bodies stay below 20; the limit bounds the call stack. */
export const DEPTH_LIMIT = 256

/** Strings shorter than this never count as inline media. */
const MEDIA_MIN_BYTES = 512

/**
 * Walks JSON bytes without building values. For valid UTF-8, it accepts exactly the same texts as `JSON.parse`, up to
 * `DEPTH_LIMIT`. Nothing is skipped unchecked: two parsers that disagree about where a string ends would let a client show one
 * model to us and another to the upstream. Strings are checked four bytes at a time, which keeps a body of several megabytes cheap.
 *
 * Every `skip…` method takes the index of a value's first byte and returns the index after its last, or -1 on a fault, which
 * `reason()` then describes.
 */
export class JsonWalker {
  /** Strings with inline media; see `#noteMedia`. */
  mediaCount = 0
  mediaBytes = 0
  /** A nested member may name something that the provider stores; `readReferences` finds out what. */
  mayRefer = false
  /** Whether the last skipped string contained escapes. */
  escaped = false

  readonly #bytes: Uint8Array
  #faultAt = -1
  #faultText = ''
  #words: Int32Array | undefined
  /** Added to a byte index to get its distance from the first whole word. */
  readonly #wordShift: number

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#wordShift = -(-bytes.byteOffset & 3)
  }

  /** The fault, in words for the client. */
  reason(): string {
    if (this.#faultText !== '') return `${this.#faultText} at byte ${this.#faultAt}`
    const byte = this.#bytes[this.#faultAt]
    if (byte === undefined) return 'it ends too early'
    const shown =
      byte > 0x20 && byte < 0x7f ? `"${String.fromCharCode(byte)}"` : `0x${byte.toString(16).padStart(2, '0')}`
    return `unexpected ${shown} at byte ${this.#faultAt}`
  }

  /** Marks the byte at which the text stops being JSON. */
  fault(at: number, text = ''): -1 {
    this.#faultAt = at
    this.#faultText = text
    return -1
  }

  /** Index of the next byte that is not white space, or the length. */
  skipSpace(at: number): number {
    const bytes = this.#bytes
    let i = at
    for (;;) {
      const c = bytes[i]
      if (c === undefined || c > 0x20) return i
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return i
      i++
    }
  }

  skipValue(at: number, depth: number): number {
    const c = this.#bytes[at]
    if (c === QUOTE) return this.skipString(at)
    if (c === OPEN_BRACE) return depth < DEPTH_LIMIT ? this.#skipObject(at, depth + 1) : this.#tooDeep(at)
    if (c === OPEN_BRACKET) return depth < DEPTH_LIMIT ? this.#skipArray(at, depth + 1) : this.#tooDeep(at)
    if (c === 0x74) return this.#skipWord(at, 'true')
    if (c === 0x66) return this.#skipWord(at, 'false')
    if (c === 0x6e) return this.#skipWord(at, 'null')
    return this.#skipNumber(at)
  }

  /** From the opening to after the closing quote. */
  skipString(at: number): number {
    const bytes = this.#bytes
    this.escaped = false
    let i = at + 1
    for (;;) {
      const c = bytes[i]
      if (c === undefined) return this.fault(i)
      if (c === QUOTE) return i + 1
      if (c === BACKSLASH) {
        this.escaped = true
        i = this.#skipEscape(i)
        if (i < 0) return -1
      } else if (c < 0x20) return this.fault(i, 'unescaped control character in a string')
      else if (c < 0x80) {
        i++
        if (((i + this.#wordShift) & 3) === 0 && i - at > 16) i = this.#skipPlainWords(i)
      } else if (isCommonTriple(c) && isContinuation(bytes[i + 1] ?? 0) && isContinuation(bytes[i + 2] ?? 0)) i += 3
      else {
        i = afterSequence(bytes, i)
        if (i < 0) return this.fault(~i, 'invalid UTF-8')
      }
    }
  }

  #skipObject(at: number, depth: number): number {
    const bytes = this.#bytes
    let i = this.skipSpace(at + 1)
    if (bytes[i] === CLOSE_BRACE) return i + 1
    for (;;) {
      if (bytes[i] !== QUOTE) return this.fault(i)
      const keyStart = i
      const keyEnd = this.skipString(i)
      if (keyEnd < 0) return -1
      const isEscaped = this.escaped
      i = this.skipSpace(keyEnd)
      if (bytes[i] !== COLON) return this.fault(i)
      i = this.skipSpace(i + 1)
      const valueStart = i
      this.mayRefer ||= isEscaped || this.#isReferring(keyStart, keyEnd, valueStart)
      i = this.skipValue(i, depth)
      if (i < 0) return -1
      if (i - valueStart >= MEDIA_MIN_BYTES && bytes[valueStart] === QUOTE)
        this.#noteMedia(keyStart, keyEnd, valueStart, i)
      i = this.skipSpace(i)
      if (bytes[i] === CLOSE_BRACE) return i + 1
      if (bytes[i] !== COMMA) return this.fault(i)
      i = this.skipSpace(i + 1)
    }
  }

  #skipArray(at: number, depth: number): number {
    const bytes = this.#bytes
    let i = this.skipSpace(at + 1)
    if (bytes[i] === CLOSE_BRACKET) return i + 1
    for (;;) {
      i = this.skipValue(i, depth)
      if (i < 0) return -1
      i = this.skipSpace(i)
      if (bytes[i] === CLOSE_BRACKET) return i + 1
      if (bytes[i] !== COMMA) return this.fault(i)
      i = this.skipSpace(i + 1)
    }
  }

  #skipWord(at: number, word: string): number {
    for (let i = 0; i < word.length; i++) {
      if (this.#bytes[at + i] !== word.charCodeAt(i)) return this.fault(at + i)
    }
    return at + word.length
  }

  #skipNumber(at: number): number {
    const bytes = this.#bytes
    let i = bytes[at] === MINUS ? at + 1 : at
    if (bytes[i] === ZERO) i++
    else if ((i = this.#skipDigits(i)) < 0) return -1
    if (bytes[i] === 0x2e && (i = this.#skipDigits(i + 1)) < 0) return -1
    if (bytes[i] === 0x65 || bytes[i] === 0x45) {
      const sign = bytes[i + 1]
      i = this.#skipDigits(sign === MINUS || sign === 0x2b ? i + 2 : i + 1)
    }
    return i
  }

  /** At least one digit. */
  #skipDigits(at: number): number {
    const bytes = this.#bytes
    let i = at
    while (isDigit(bytes[i])) i++
    return i > at ? i : this.fault(at)
  }

  #skipEscape(at: number): number {
    const c = this.#bytes[at + 1]
    if (c !== 0x75) return c !== undefined && isSimpleEscape(c) ? at + 2 : this.fault(at + 1)
    for (let i = at + 2; i < at + 6; i++) {
      if (!isHex(this.#bytes[i])) return this.fault(i)
    }
    return at + 6
  }

  /** Skips whole words of plain ASCII, without quotes, backslashes, control characters and bytes above 0x7f. */
  #skipPlainWords(at: number): number {
    const words = (this.#words ??= this.#wordView())
    let w = (at + this.#wordShift) >> 2
    const from = w
    for (; w < words.length; w++) {
      const x = words[w] ?? 0
      // A byte below n sets the top bit of x - n; a byte equal to n sets it in (x ^ n) - 1. The top bit of x itself marks a byte
      // above 0x7f. Borrows only ever follow a byte that is marked anyway.
      const marks = (x - 0x20202020) | ((x ^ 0x22222222) - 0x01010101) | ((x ^ 0x5c5c5c5c) - 0x01010101) | x
      if ((marks & 0x80808080) !== 0) break
    }
    return at + ((w - from) << 2)
  }

  /** The whole words of the bytes. Byte order does not matter: the tests treat all four bytes alike. */
  #wordView(): Int32Array {
    const { buffer, byteOffset, byteLength } = this.#bytes
    const lead = -this.#wordShift
    return new Int32Array(buffer, byteOffset + lead, Math.max(0, (byteLength - lead) >> 2))
  }

  #tooDeep(at: number): -1 {
    return this.fault(at, `nested deeper than ${DEPTH_LIMIT} levels`)
  }

  /** Checks the key's length first, because it runs for every nested key. Objects' members are checked separately. */
  #isReferring(keyStart: number, keyEnd: number, valueStart: number): boolean {
    const names = (this.#bytes[valueStart] === OPEN_BRACE ? HOLDING : REFERRING)[keyEnd - keyStart]
    if (names === undefined || !names.some((name) => matchesInAnyCase(this.#bytes, keyStart, keyEnd, name)))
      return false
    return this.#bytes[valueStart + 1] !== 0x64 || !matches(this.#bytes, valueStart, valueStart + 6, '"data:')
  }

  /** Images are data: URLs in `url` or `image_url`, audio and files base64 in `data` or `file_data`. Anything else is text. */
  #noteMedia(keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void {
    const isMedia =
      matches(this.#bytes, keyStart, keyEnd, '"data"') ||
      matches(this.#bytes, keyStart, keyEnd, '"file_data"') ||
      ((matches(this.#bytes, keyStart, keyEnd, '"url"') || matches(this.#bytes, keyStart, keyEnd, '"image_url"')) &&
        matches(this.#bytes, valueStart, valueStart + 6, '"data:'))
    if (!isMedia) return
    this.mediaCount++
    this.mediaBytes += valueEnd - valueStart
  }
}

/** Keys of objects whose `id` is a reference. */
const HOLDING = byLength(['audio', 'container', 'environment'])

/** Keys under which dialects name files, containers, stores and addresses, by their length with quotes. */
const REFERRING = byLength([
  'url',
  'uri',
  'file_id',
  'file_ids',
  'file_url',
  'file_uri',
  'fileUri',
  'image_url',
  'video_url',
  'skill_id',
  'container',
  'container_id',
  'knowledge_id',
  'vector_store_ids',
  'fileSearchStoreNames',
  'file_search_store_names',
  'datastore',
  'engine',
  'dataStore',
  'data_store',
  'ragCorpus',
  'rag_corpus',
  'ragCorpora',
  'rag_corpora',
])

function byLength(names: readonly string[]): readonly (readonly string[] | undefined)[] {
  const table: string[][] = []
  for (const name of names) (table[name.length + 2] ??= []).push(`"${name}"`)
  // Holes would slow down every look-up.
  return Array.from(table, (each) => each as string[] | undefined)
}

/** As `matches`, for a name of letters and underscores, but also for spellings that some readers would take for it. */
function matchesInAnyCase(bytes: Uint8Array, start: number, end: number, name: string): boolean {
  if (end - start !== name.length) return false
  for (let i = 0; i < name.length; i++) {
    if (((bytes[start + i] ?? 0) | 0x20) !== (name.charCodeAt(i) | 0x20)) return false
  }
  return true
}

function matches(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  if (end - start !== text.length) return false
  for (let i = 0; i < text.length; i++) {
    if (bytes[start + i] !== text.charCodeAt(i)) return false
  }
  return true
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false
  const lower = byte | 0x20
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66)
}

/** One of `" \ / b f n r t`. */
function isSimpleEscape(byte: number): boolean {
  switch (byte) {
    case 0x22:
    case 0x5c:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return true
    default:
      return false
  }
}
