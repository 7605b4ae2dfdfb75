const LF = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/** The kind of string that follows a key. Two reasoning kinds in one event are the same text under two names. */
type Role = 'text' | 'part' | 'details' | 'reasoning_content' | 'reasoning' | 'reasoning_text' | 'thinking'

const KEYS: readonly { readonly name: Uint8Array; readonly role: Role }[] = (
  [
    ['content', 'text'],
    ['reasoning_content', 'reasoning_content'],
    ['reasoning', 'reasoning'],
    ['reasoning_text', 'reasoning_text'],
    ['thinking', 'thinking'],
    ['refusal', 'text'],
    ['arguments', 'text'],
    // Custom tools.
    ['input', 'text'],
    // Content given as a list of parts.
    ['text', 'part'],
    // OpenRouter repeats the reasoning in this list, as parts.
    ['reasoning_details', 'details'],
  ] as const
).map(([name, role]) => ({ name: new TextEncoder().encode(`${name}"`), role }))

/** Most letters have no keys. */
const BY_LETTER: readonly (typeof KEYS)[] = Array.from({ length: 256 }, (_, letter) =>
  KEYS.filter(({ name }) => name[0] === letter),
)
/** 1 where `BY_LETTER` has keys. */
const FIRST_LETTERS = Uint8Array.from(BY_LETTER, (keys) => (keys.length > 0 ? 1 : 0))

const NOTHING = new Uint8Array(0)
/** Room for the text of a short answer. */
const FIRST_BYTES = 256
/** Strings up to this many bytes are copied byte by byte. */
const WORD = 48

/** Text as the escaped content of JSON strings, which can be joined without decoding. Grows up to its limit. */
export class TextBuffer {
  /** Bytes that did not fit. */
  beyond = 0

  readonly #limit: number
  #bytes = NOTHING
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Bytes added in total, whether kept or not. */
  get size(): number {
    return this.#length + this.beyond
  }

  /** Copies `bytes[start, end)`: the escaped content of a string. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const length = this.#length + end - start
    if (length > this.#limit || this.beyond > 0) {
      this.beyond += end - start
      return
    }
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(this.#limit, Math.max(length, FIRST_BYTES, this.#bytes.length * 2)))
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    if (end - start > WORD) this.#bytes.set(bytes.subarray(start, end), this.#length)
    // A token has a few bytes: creating a view would cost more than the loop.
    else for (let from = start, to = this.#length; from < end; from++, to++) this.#bytes[to] = bytes[from] ?? 0
    this.#length = length
  }

  /** The text; still escaped if an upstream's escapes are invalid. */
  decode(): string {
    const escaped = new TextDecoder().decode(this.#bytes.subarray(0, this.#length))
    try {
      return JSON.parse(`"${escaped}"`) as string
    } catch {
      return escaped
    }
  }
}

/**
 * Copies the strings that a model wrote (answer, reasoning, refusal, tool arguments) out of chat chunks or a whole reply, by key
 * and without parsing. Quotes inside strings are escaped in JSON, so these bytes can only be a key. `oneLinePerChunk`: each line is
 * a separate chunk, unlike in a pretty-printed reply.
 */
export function copyDeltaStrings(
  bytes: Uint8Array,
  end: number,
  out: TextBuffer,
  { oneLinePerChunk }: { readonly oneLinePerChunk: boolean },
): void {
  let reasoningAs: Role | undefined
  let sawDetails = false
  for (let i = nextOfInterest(bytes, 0, end); i < end; i = nextOfInterest(bytes, i + 1, end)) {
    if (bytes[i] === LF) {
      if (!oneLinePerChunk) continue
      reasoningAs = undefined
      sawDetails = false
      continue
    }
    const key = keyAt(bytes, i + 1)
    if (key === undefined) continue
    if (key.role === 'details') sawDetails = true
    const start = stringAfter(bytes, i + 1 + key.name.length)
    if (start < 0) continue
    const stop = endOfString(bytes, start, end)
    if (stop < 0) return
    i = stop
    if (stop === start || (key.role === 'part' && sawDetails)) continue
    if (key.role !== 'text' && key.role !== 'part') {
      reasoningAs ??= key.role
      if (reasoningAs !== key.role) continue
    }
    out.add(bytes, start, stop)
  }
}

/** Index of the next line end, or of a quote before a key's first letter; otherwise `end`. */
function nextOfInterest(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    const byte = bytes[i] ?? 0
    if (byte > QUOTE) continue
    if (byte === QUOTE) {
      if (FIRST_LETTERS[bytes[i + 1] ?? 0] === 1) return i
    } else if (byte === LF) return i
  }
  return end
}

function keyAt(bytes: Uint8Array, at: number): (typeof KEYS)[number] | undefined {
  for (const key of BY_LETTER[bytes[at] ?? 0] ?? []) {
    if (startsWith(bytes, at, key.name)) return key
  }
  return undefined
}

/** The index after the quote that opens a key's string, or -1. `at` is after the key's closing quote. */
export function stringAfter(bytes: Uint8Array, at: number): number {
  const colon = skipSpaces(bytes, at)
  if (bytes[colon] !== COLON) return -1
  const value = skipSpaces(bytes, colon + 1)
  return bytes[value] === QUOTE ? value + 1 : -1
}

/** Index of the quote that ends the string, or -1. `start` is after the opening quote. */
export function endOfString(bytes: Uint8Array, start: number, end: number): number {
  for (let i = start; i < end; i++) {
    if (bytes[i] === BACKSLASH) i++
    else if (bytes[i] === QUOTE) return i
  }
  return -1
}

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) {
    if (bytes[at + i] !== word[i]) return false
  }
  return true
}

function skipSpaces(bytes: Uint8Array, at: number): number {
  let i = at
  while (bytes[i] === SPACE) i++
  return i
}
