import { JsonWalker } from './json-walker.ts'
import { escapedNameAt, type KeySet, nameAt, type Spelling, spellingOf } from './key-set.ts'

/** Position of a value in the bytes: `[start, end)`, without the white space around it. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface ScannedObject<K extends string> {
  /** From `{` to after `}`. */
  readonly object: Span
  readonly values: Readonly<Partial<Record<K, Span>>>
  /** Inline images, audio and files anywhere inside: number of strings, and their bytes with quotes. */
  readonly mediaCount: number
  readonly mediaBytes: number
  /** See `JsonWalker`. */
  readonly mayRefer: boolean
}

export type ScanFault =
  | { readonly fault: 'syntax'; readonly reason: string }
  | { readonly fault: 'not_object' }
  | { readonly fault: 'duplicate'; readonly key: string }
  /** A key that some readers interpret as a wanted one. */
  | { readonly fault: 'twin'; readonly key: string; readonly written: string }

export function isScanFault(scanned: object): scanned is ScanFault {
  return 'fault' in scanned
}

/**
 * Finds wanted keys in one JSON object and validates all of it on the way. `at` is where the object (or white space before it)
 * starts and `end` where it must have ended, ignoring white space; by default all bytes.
 *
 * A wanted key that appears twice is a fault, even if one of them is spelled with escapes, because JSON does not define which of
 * the two a reader uses. So is a key that only some readers take for a wanted one; see `KeySet`. With `duplicates: 'last'` the last
 * wins, as in `JSON.parse`: for bytes that are only read here and never shown to another parser.
 */
export function scanObject<K extends string>(
  bytes: Uint8Array,
  keys: KeySet<K>,
  {
    at = 0,
    end = bytes.length,
    duplicates = 'refuse',
  }: { at?: number; end?: number; duplicates?: 'refuse' | 'last' } = {},
): ScannedObject<K> | ScanFault {
  const walker = new JsonWalker(end === bytes.length ? bytes : bytes.subarray(0, end))
  const values: Partial<Record<K, Span>> = {}
  const start = walker.skipSpace(at)
  if (start === end) return { fault: 'syntax', reason: 'it is empty' }
  if (bytes[start] === 0xef && bytes[start + 1] === 0xbb)
    return { fault: 'syntax', reason: 'it begins with a byte order mark' }
  if (bytes[start] !== 0x7b) return { fault: 'not_object' }
  let i = walker.skipSpace(start + 1)
  if (bytes[i] === 0x7d) i++
  else {
    for (;;) {
      if (bytes[i] !== 0x22) return syntaxFault(walker, i)
      const keyStart = i
      const keyEnd = walker.skipString(i)
      if (keyEnd < 0) return syntaxFault(walker)
      const spelling = spellingAt(bytes, { start: keyStart, end: keyEnd }, walker.escaped, keys)
      i = walker.skipSpace(keyEnd)
      if (bytes[i] !== 0x3a) return syntaxFault(walker, i)
      const valueStart = walker.skipSpace(i + 1)
      i = walker.skipValue(valueStart, 1)
      if (i < 0) return syntaxFault(walker)
      if (spelling !== undefined && (spelling.isExact || duplicates === 'refuse')) {
        const { name, isExact } = spelling
        if (!isExact) return { fault: 'twin', key: name, written: textOf(bytes, { start: keyStart, end: keyEnd }) }
        if (values[name] !== undefined && duplicates === 'refuse') return { fault: 'duplicate', key: name }
        values[name] = { start: valueStart, end: i }
      }
      i = walker.skipSpace(i)
      if (bytes[i] === 0x7d) break
      if (bytes[i] !== 0x2c) return syntaxFault(walker, i)
      i = walker.skipSpace(i + 1)
    }
    i++
  }
  const rest = walker.skipSpace(i)
  if (rest !== end) return syntaxFault(walker, rest)
  const { mediaCount, mediaBytes, mayRefer } = walker
  return { object: { start, end: i }, values, mediaCount, mediaBytes, mayRefer }
}

/** The array must have been found valid by a scan; undefined if it is empty. */
export function firstElement(bytes: Uint8Array, array: Span): Span | undefined {
  const walker = new JsonWalker(bytes)
  const start = walker.skipSpace(array.start + 1)
  return start < array.end - 1 ? { start, end: walker.skipValue(start, 0) } : undefined
}

/** The array must have been found valid by a scan. */
export function* arrayElements(bytes: Uint8Array, array: Span): Generator<Span> {
  const walker = new JsonWalker(bytes)
  let at = walker.skipSpace(array.start + 1)
  while (at < array.end - 1) {
    const end = walker.skipValue(at, 0)
    if (end < 0) return
    yield { start: at, end }
    at = walker.skipSpace(walker.skipSpace(end) + 1)
  }
}

/** The value at a span that a scan found. */
export function parseSpan(bytes: Uint8Array, span: Span): unknown {
  return JSON.parse(DECODER.decode(bytes.subarray(span.start, span.end)))
}

/**
 * As `parseSpan`, for values that should be a text, a number, a flag or null: a list or an object is returned empty. Millions of
 * lists in place of a flag would otherwise fill the memory before they could be refused.
 */
export function parseScalar(bytes: Uint8Array, span: Span): unknown {
  const first = bytes[span.start]
  if (first === OPEN_LIST) return []
  return first === OPEN_OBJECT ? {} : parseSpan(bytes, span)
}

const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/** Shared because it is expensive to create; keeps nothing between calls. */
const DECODER = new TextDecoder()

function syntaxFault(walker: JsonWalker, at?: number): ScanFault {
  if (at !== undefined) walker.fault(at)
  return { fault: 'syntax', reason: walker.reason() }
}

/** The wanted name that a key spells; `key` is its span, including the quotes. */
export function spellingAt<K extends string>(
  bytes: Uint8Array,
  key: Span,
  isEscaped: boolean,
  keys: KeySet<K>,
): Spelling<K> | undefined {
  if (!isEscaped) return nameAt(bytes, key.start + 1, key.end - 1, keys)
  const spelling = escapedNameAt(bytes, key.start + 1, key.end - 1, keys)
  return spelling === 'long' ? spellingOf(textOf(bytes, key), keys) : spelling
}

/** The text of a key or string that a walk has passed. */
export function textOf(bytes: Uint8Array, span: Span): string {
  return String(parseSpan(bytes, span))
}
