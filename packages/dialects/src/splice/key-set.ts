/**
 * Names of members to look for. A key that differs from one of them only in case is a *twin*: Go and ASP.NET read names in any
 * case, Go with U+017F for `s` and U+212A for `k` too. In a *loose* set, each name can also be written in snake case, and a key
 * that differs in underscores otherwise is a twin as well.
 */
export interface KeySet<K extends string> {
  readonly names: readonly K[]
  readonly isLoose: boolean
  /** By the lower five bits of their first letter, which are the same in either case. */
  readonly byLetter: readonly (readonly Entry<K>[] | undefined)[]
}

/** The name that a key spells, or that some readers interpret it as. */
export interface Spelling<K extends string> {
  readonly name: K
  readonly isExact: boolean
}

interface Entry<K extends string> {
  readonly bytes: Uint8Array
  /** Built once, so that a look-up allocates nothing. */
  readonly exact: Spelling<K>
  readonly twin: Spelling<K>
}

/** Names of keys: ASCII letters, digits and underscores, a letter first. */
export function keySet<const K extends string>(...names: K[]): KeySet<K> {
  return setOf(names, false)
}

/** For Google's dialect, in which `system_instruction` and `systemInstruction` are one field; names in camel case. */
export function looseKeySet<const K extends string>(...names: K[]): KeySet<K> {
  return setOf(names, true)
}

const LETTER = 0x1f
const CASE = 0x20
const UNDERSCORE = 0x5f
/** The first bytes of U+017F and U+212A in UTF-8, with the letters that they fold to. */
const LONG_S = 0xc5
const KELVIN = 0xe2
const SMALL_S = 0x73
const SMALL_K = 0x6b

function setOf<K extends string>(names: readonly K[], isLoose: boolean): KeySet<K> {
  const byLetter: Entry<K>[][] = []
  for (const name of names) {
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const exact = { name, isExact: true }
    const twin = { name, isExact: false }
    for (const spelling of isLoose && snake !== name ? [name, snake] : [name]) {
      const bytes = new TextEncoder().encode(spelling)
      ;(byLetter[(bytes[0] ?? 0) & LETTER] ??= []).push({ bytes, exact, twin })
    }
  }
  return { names, isLoose, byLetter: Array.from({ length: LETTER + 1 }, (_, letter) => byLetter[letter]) }
}

/** The name that `bytes[start, end)` spell, exactly or as a twin. */
export function nameAt<K extends string>(
  bytes: Uint8Array,
  start: number,
  end: number,
  { byLetter, isLoose }: KeySet<K>,
): Spelling<K> | undefined {
  const first = bytes[start] ?? 0
  const letter = first === LONG_S ? SMALL_S : first === KELVIN ? SMALL_K : first
  const entries = byLetter[letter & LETTER]
  if (entries === undefined) return undefined
  let twin: Spelling<K> | undefined
  for (const entry of entries) {
    const likeness = compare(bytes, start, end, entry.bytes, isLoose)
    if (likeness === EXACT) return entry.exact
    if (likeness === TWIN) twin ??= entry.twin
  }
  return twin
}

/** The first member of a parsed object that is a twin, for objects that are read whole. */
export function twinIn<K extends string>(
  object: Readonly<Record<string, unknown>>,
  keys: KeySet<K>,
): { readonly name: K; readonly written: string } | undefined {
  for (const written of Object.keys(object)) {
    const spelling = spellingOf(written, keys)
    if (spelling?.isExact === false) return { name: spelling.name, written }
  }
  return undefined
}

/** The name that a text spells. Readers written in C end a name at its first NUL. */
export function spellingOf<K extends string>(key: string, keys: KeySet<K>): Spelling<K> | undefined {
  const [seen = ''] = key.split('\0', 1)
  const encoded = new TextEncoder().encode(seen)
  const spelling = nameAt(encoded, 0, encoded.length, keys)
  return spelling === undefined || seen === key ? spelling : { name: spelling.name, isExact: false }
}

/** Longer than any name, including the underscores that may be added to a loose one. */
const plain = new Uint8Array(64)
const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** A byte that no name contains. */
const FOREIGN = 0xff

/**
 * As `spellingOf`, for a key with escapes, without its quotes, that a walk has passed; `long` if it has too many bytes to be
 * checked here. Converting such keys to texts takes ten times as long, so a body full of them would delay all others.
 */
export function escapedNameAt<K extends string>(
  bytes: Uint8Array,
  start: number,
  end: number,
  keys: KeySet<K>,
): Spelling<K> | 'long' | undefined {
  let length = 0
  let isCut = false
  for (let i = start; i < end && !isCut;) {
    // Room for the longest character.
    if (length > plain.length - 3) return 'long'
    if (bytes[i] !== BACKSLASH) plain[length++] = bytes[i++] ?? 0
    else if (bytes[i + 1] !== LETTER_U) {
      // A quote, a slash or a control character: no name contains it.
      plain[length++] = FOREIGN
      i += 2
    } else {
      const unit = hexAt(bytes, i + 2)
      isCut = unit === 0
      if (!isCut) length = putUnit(unit, length)
      i += 6
    }
  }
  const spelling = nameAt(plain, 0, length, keys)
  return spelling !== undefined && isCut ? { name: spelling.name, isExact: false } : spelling
}

/** Four hex digits. */
function hexAt(bytes: Uint8Array, at: number): number {
  let unit = 0
  for (let i = at; i < at + 4; i++) {
    const digit = bytes[i] ?? 0
    unit = unit * 16 + (digit <= 0x39 ? digit - 0x30 : (digit | CASE) - 0x57)
  }
  return unit
}

/** Writes a character, or `FOREIGN` if no name contains it; returns the new length. */
function putUnit(unit: number, at: number): number {
  const known = unit < 0x80 ? [unit] : unit === 0x17f ? LONG_S_BYTES : unit === 0x212a ? KELVIN_BYTES : [FOREIGN]
  plain.set(known, at)
  return at + known.length
}

const LONG_S_BYTES = [0xc5, 0xbf]
const KELVIN_BYTES = [0xe2, 0x84, 0xaa]

const OTHER = 0
const EXACT = 1
const TWIN = 2

function compare(bytes: Uint8Array, start: number, end: number, name: Uint8Array, isLoose: boolean): number {
  let likeness = EXACT
  let i = start
  let n = 0
  while (i < end || n < name.length) {
    const key = i < end ? (bytes[i] ?? 0) : 0
    const own = name[n] ?? 0
    if (key === own) {
      i++
      n++
      continue
    }
    likeness = TWIN
    const small = own | CASE
    const isLetter = small >= 0x61 && small <= 0x7a
    if (isLetter && (key | CASE) === small) {
      i++
      n++
    } else if (small === SMALL_S && key === LONG_S && bytes[i + 1] === 0xbf) {
      i += 2
      n++
    } else if (small === SMALL_K && key === KELVIN && bytes[i + 1] === 0x84 && bytes[i + 2] === 0xaa) {
      i += 3
      n++
    } else if (isLoose && key === UNDERSCORE) i++
    else if (isLoose && own === UNDERSCORE) n++
    else return OTHER
  }
  return likeness
}
