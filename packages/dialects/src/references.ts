import { type BodyRefusal, invalidField } from './body-refusal.ts'
import { isRefused, refuseScan } from './request-fields.ts'
import { JsonWalker } from './splice/json-walker.ts'
import { type KeySet, keySet, type Spelling } from './splice/key-set.ts'
import { parseScalar, type ScanFault, type Span, spellingAt, textOf } from './splice/scan.ts'

/** An object stored by the provider that a request refers to: an answer, file, container or store. */
export interface Reference {
  readonly id: string
  /** `previous_response_id`, `input[3].id` */
  readonly field: string
}

/** Where references are in a body. Unlisted members are ignored. */
export interface Shape {
  /** The text is itself a reference: an id, or an address that not everyone can read. */
  readonly leaf?: 'id' | 'address'
  /** Built lazily, so that a shape can contain itself. */
  readonly keys: () => KeySet<string>
  readonly members: Readonly<Record<string, Shape>>
  /** Whether an object of this `type` only mentions a name, so that nothing in it is looked up. */
  readonly skips?: (type: unknown) => boolean
}

type Members = Readonly<Record<string, Shape>>

/** An object, or a list of objects; `members` may refer to the shape itself. */
export function shape(members: () => Members, more: Pick<Shape, 'leaf' | 'skips'> = {}): Shape {
  let made: { readonly members: Members; readonly keys: KeySet<string> } | undefined
  const make = () => {
    const own = members()
    const names = Object.keys(own)
    return { members: own, keys: keySet(...(more.skips === undefined ? names : ['type', ...names])) }
  }
  const get = () => (made ??= make())
  return {
    ...more,
    keys: () => get().keys,
    get members() {
      return get().members
    },
  }
}

const NO_KEYS = keySet()

/** A text, or a list of texts. */
export const ID: Shape = { leaf: 'id', keys: () => NO_KEYS, members: {} }
/** A text, or a list of texts. */
export const ADDRESS: Shape = { leaf: 'address', keys: () => NO_KEYS, members: {} }

/** Maximum characters of a name that is looked up; ids have less than 100. */
const ID_LIMIT = 256
const ADDRESS_LIMIT = 4_096
/** Maximum references in one request. */
const REFERENCES_LIMIT = 1_000
/** Maximum nesting; real bodies have six levels. */
const LEVELS_LIMIT = 8

/** A key, or an index of a list. Converted to text only if something is found or refused. */
interface FieldPath {
  readonly outer: FieldPath | undefined
  readonly part: string | number
}

function fieldOf({ outer, part }: FieldPath): string {
  if (outer === undefined) return String(part)
  return typeof part === 'number' ? `${fieldOf(outer)}[${part}]` : `${fieldOf(outer)}.${part}`
}

/** Reads every byte once: reading each level again would let a body of nested lists delay every other request (class S27). */
class Collector {
  readonly found: Reference[] = []
  refusal: BodyRefusal | undefined
  readonly #body: Uint8Array
  readonly #walker: JsonWalker

  constructor(body: Uint8Array) {
    this.#body = body
    this.#walker = new JsonWalker(body)
  }

  /** Reads the value at an index; returns the index after it, or -1 if it was refused. */
  take(at: number, wanted: Shape, path: FieldPath, level = 0): number {
    const first = this.#body[at]
    if (first === QUOTE && wanted.leaf !== undefined) return this.#takeText(at, wanted.leaf, path)
    if (first === OPEN_LIST) return this.#takeList(at, wanted, path, level)
    if (first === OPEN_OBJECT && wanted.keys().names.length > 0) return this.#takeObject(at, wanted, path, level)
    return this.#walker.skipValue(at, 0)
  }

  #takeList(list: number, wanted: Shape, outer: FieldPath, level: number): number {
    const body = this.#body
    const walker = this.#walker
    let at = walker.skipSpace(list + 1)
    for (let part = 0; body[at] !== CLOSE_LIST; part++) {
      const end = this.take(at, wanted, { outer, part }, level)
      if (end < 0) return -1
      at = walker.skipSpace(end)
      if (body[at] === COMMA) at = walker.skipSpace(at + 1)
    }
    return at + 1
  }

  #takeObject(object: number, wanted: Shape, outer: FieldPath, level: number): number {
    if (level === LEVELS_LIMIT) {
      return this.#refuse(invalidField(fieldOf(outer), `must not be nested deeper than ${LEVELS_LIMIT} levels`))
    }
    const { found } = this
    const body = this.#body
    const walker = this.#walker
    const before = found.length
    let seen: Set<string> | undefined
    let type: unknown
    let at = walker.skipSpace(object + 1)
    while (body[at] !== CLOSE_OBJECT) {
      const keyEnd = walker.skipString(at)
      const spelling = spellingAt(body, { start: at, end: keyEnd }, walker.escaped, wanted.keys())
      const start = walker.skipSpace(walker.skipSpace(keyEnd) + 1)
      const fault = spelling && faultOf(body, { start: at, end: keyEnd }, spelling, (seen ??= new Set()))
      if (fault !== undefined) return this.#refuse(refuseScan(fault, fieldOf(outer)))
      const member = spelling && wanted.members[spelling.name]
      const end =
        member === undefined
          ? walker.skipValue(start, 0)
          : this.take(start, member, { outer, part: spelling?.name ?? '' }, level + 1)
      if (end < 0) return -1
      if (spelling?.name === 'type') type = parseScalar(body, { start, end })
      at = walker.skipSpace(end)
      if (body[at] === COMMA) at = walker.skipSpace(at + 1)
    }
    if (wanted.skips?.(type) === true) found.length = before
    return at + 1
  }

  #takeText(start: number, leaf: 'id' | 'address', path: FieldPath): number {
    const { found } = this
    const body = this.#body
    const span = { start, end: this.#walker.skipString(start) }
    // An inline picture is long and not a reference.
    if (leaf === 'address' && isInline(body, span)) return span.end
    const field = fieldOf(path)
    const id = leaf === 'id' ? readId(body, span, field) : storedAddress(body, span, field)
    if (id === undefined) return span.end
    if (isRefused(id)) return this.#refuse(id)
    if (found.length === REFERENCES_LIMIT) {
      return this.#refuse(invalidField(field, `exceeds the limit of ${REFERENCES_LIMIT} ids per request`))
    }
    found.push({ id, field })
    return span.end
  }

  #refuse(refusal: BodyRefusal): -1 {
    this.refusal = refusal
    return -1
  }
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** A known key must not occur twice, or in a spelling that only some readers accept. */
function faultOf(
  body: Uint8Array,
  key: Span,
  { name, isExact }: Spelling<string>,
  seen: Set<string>,
): ScanFault | undefined {
  if (!isExact) return { fault: 'twin', key: name, written: textOf(body, key) }
  if (seen.has(name)) return { fault: 'duplicate', key: name }
  seen.add(name)
  return undefined
}

function readId(body: Uint8Array, span: Span, path: string): string | BodyRefusal {
  const id = parseScalar(body, span)
  const isFit = typeof id === 'string' && id !== '' && id.length <= ID_LIMIT
  return isFit ? id : invalidField(path, `must be an id of at most ${ID_LIMIT} characters`)
}

/** Addresses that providers read with the permissions of their account. */
const KEPT_HOSTS = /^generativelanguage\.googleapis\.com$|(^|-)aiplatform\.googleapis\.com$/

/** Undefined if anyone can read the address. */
function storedAddress(body: Uint8Array, span: Span, path: string): string | BodyRefusal | undefined {
  const text = parseScalar(body, span)
  if (typeof text !== 'string') return undefined
  const address = text.trim()
  // Some servers accept bare base64 in place of an address.
  if (!/^[a-z][a-z\d+.-]*:/i.test(address) && !/^(cachedContents|files)\//i.test(address)) return undefined
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isPublic = url?.protocol === 'data:' || (/^https?:$/.test(url?.protocol ?? '') && !KEPT_HOSTS.test(hostOf(url)))
  if (isPublic) return undefined
  return text.length <= ADDRESS_LIMIT
    ? text
    : invalidField(path, `must be an address of at most ${ADDRESS_LIMIT} characters`)
}

const hostOf = (url: URL | undefined) => url?.hostname.replace(/(?<!\.)\.+$/, '') ?? ''

const INLINE = new TextEncoder().encode('"data:')

function isInline(body: Uint8Array, { start }: Span): boolean {
  return INLINE.every((byte, i) => body[start + i] === byte)
}

export interface ReferringMembers {
  /** Checked in every body. */
  readonly outer: Members
  /** Checked if the scan found a possible reference. */
  readonly inner: Members
}

export function readReferences(
  body: Uint8Array,
  { spans, mayRefer }: { readonly spans: Readonly<Partial<Record<string, Span>>>; readonly mayRefer: boolean },
  { outer, inner }: ReferringMembers,
): readonly Reference[] | BodyRefusal {
  const collector = new Collector(body)
  for (const members of mayRefer ? [outer, inner] : [outer]) {
    for (const [name, wanted] of Object.entries(members)) {
      const span = spans[name]
      if (span !== undefined) collector.take(span.start, wanted, { outer: undefined, part: name })
      if (collector.refusal !== undefined) return collector.refusal
    }
  }
  return collector.found
}

/** The names in a whole reply under `wanted`; empty if it cannot be read. */
export function referencesOf(body: Uint8Array, span: Span | undefined, wanted: Shape): readonly string[] {
  if (span === undefined) return []
  const collector = new Collector(body)
  collector.take(span.start, wanted, { outer: undefined, part: '' })
  return collector.refusal === undefined ? collector.found.map(({ id }) => id) : []
}
