import { type BodyRefusal, invalidField, isBodyRefusal } from './body-refusal.ts'
import { isRefused, refuseScan } from './request-fields.ts'
import { type KeySet, keySet } from './splice/key-set.ts'
import { arrayElements, isScanFault, parseScalar, scanObject, type Span } from './splice/scan.ts'

/** What a request names that the provider keeps: an answer, a file, a container, a store. */
export interface Reference {
  readonly id: string
  /** `previous_response_id`, `input[3].id` */
  readonly field: string
}

/** Where in a body such names stand. Members that are not listed are not looked at. */
export interface Shape {
  /** A text here is a name: by its id, or as an address, unless anybody can read what is there. */
  readonly leaf?: 'id' | 'address'
  /** Made when it is first needed, so that a shape may hold itself. */
  readonly keys: () => KeySet<string>
  readonly members: Readonly<Record<string, Shape>>
  /** By its `type`, an object in which nothing is looked up: it only mentions a name. */
  readonly skips?: (type: unknown) => boolean
}

type Members = Readonly<Record<string, Shape>>

/** An object, or a list of such; `members` may refer to the shape itself. */
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

/** A text, or a list of texts. */
export const ID: Shape = { leaf: 'id', keys: () => keySet(), members: {} }
/** As `ID`. */
export const ADDRESS: Shape = { leaf: 'address', keys: () => keySet(), members: {} }

/** Longest name that is looked up; ids have less than 100 characters. */
const ID_LIMIT = 256
const ADDRESS_LIMIT = 4_096
/** Most names in one request. */
const REFERENCES_LIMIT = 1_000
/** Each level is scanned again, so their number is bounded; real bodies have six. */
const LEVELS_LIMIT = 8

/** Adds what a value that was scanned before names. `path` is the field's, for refusals. */
function collectReferences(
  body: Uint8Array,
  span: Span,
  wanted: Shape,
  path: string,
  found: Reference[],
  level = 0,
): BodyRefusal | undefined {
  switch (body[span.start]) {
    case 0x22:
      return wanted.leaf === undefined ? undefined : addLeaf(body, span, wanted.leaf, path, found)
    case 0x5b: {
      let index = 0
      for (const element of arrayElements(body, span)) {
        const refusal = collectReferences(body, element, wanted, `${path}[${index++}]`, found, level)
        if (refusal !== undefined) return refusal
      }
      return undefined
    }
    case 0x7b:
      return collectMembers(body, span, wanted, path, found, level)
    default:
      return undefined
  }
}

function collectMembers(
  body: Uint8Array,
  { start, end }: Span,
  wanted: Shape,
  path: string,
  found: Reference[],
  level: number,
): BodyRefusal | undefined {
  const keys = wanted.keys()
  if (keys.names.length === 0) return undefined
  if (level === LEVELS_LIMIT) return invalidField(path, `must not be nested deeper than ${LEVELS_LIMIT} levels`)
  const scanned = scanObject(body, keys, { at: start, end })
  if (isScanFault(scanned)) return refuseScan(scanned, path)
  const { type } = scanned.values
  if (wanted.skips?.(type && parseScalar(body, type)) === true) return undefined
  for (const [name, member] of Object.entries(wanted.members)) {
    const span = scanned.values[name]
    if (span === undefined) continue
    const refusal = collectReferences(body, span, member, `${path}.${name}`, found, level + 1)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

function addLeaf(
  body: Uint8Array,
  span: Span,
  leaf: 'id' | 'address',
  path: string,
  found: Reference[],
): BodyRefusal | undefined {
  const id = leaf === 'id' ? readId(body, span, path) : keptAddress(body, span, path)
  if (id === undefined) return undefined
  if (isRefused(id)) return id
  if (found.length === REFERENCES_LIMIT) {
    return invalidField(path, `must not be more than ${REFERENCES_LIMIT} ids in one request`)
  }
  found.push({ id, field: path })
  return undefined
}

function readId(body: Uint8Array, span: Span, path: string): string | BodyRefusal {
  const id = parseScalar(body, span)
  const isFit = typeof id === 'string' && id !== '' && id.length <= ID_LIMIT
  return isFit ? id : invalidField(path, `must be an id of at most ${ID_LIMIT} characters`)
}

/** Addresses that providers open with the rights of their account. */
const KEPT_HOSTS = /^generativelanguage\.googleapis\.com$|(^|-)aiplatform\.googleapis\.com$/

/** Undefined for what is inline, and for addresses that anybody can read. */
function keptAddress(body: Uint8Array, span: Span, path: string): string | BodyRefusal | undefined {
  if (isInline(body, span)) return undefined
  const text = parseScalar(body, span)
  if (typeof text !== 'string') return undefined
  const address = text.trim()
  // Some servers take bare base64 in the place of an address.
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

/** The members of a body that name what is kept. */
export interface ReferringMembers {
  /** Looked at in each body. */
  readonly outer: Members
  /** Looked at where the scan has found a member that may refer. */
  readonly inner: Members
}

/** All that a body names, by what a scan of it found. */
export function readReferences(
  body: Uint8Array,
  { spans, mayRefer }: { readonly spans: Readonly<Partial<Record<string, Span>>>; readonly mayRefer: boolean },
  { outer, inner }: ReferringMembers,
): readonly Reference[] | BodyRefusal {
  const found: Reference[] = []
  for (const members of mayRefer ? [outer, inner] : [outer]) {
    for (const [name, wanted] of Object.entries(members)) {
      const span = spans[name]
      const refusal = span && collectReferences(body, span, wanted, name, found)
      if (refusal !== undefined) return refusal
    }
  }
  return found
}

/** What a whole reply names under `wanted`; none where it cannot be read. */
export function referencesOf(body: Uint8Array, span: Span | undefined, wanted: Shape): readonly string[] {
  if (span === undefined) return []
  const found: Reference[] = []
  const refusal = collectReferences(body, span, wanted, '', found)
  return refusal !== undefined && isBodyRefusal(refusal) ? [] : found.map(({ id }) => id)
}
