import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Views of one source that are remembered; one more takes the place of the oldest. */
const MOST_VIEWS = 16
/** Smaller ones are hardly smaller when they are compressed. */
const COMPRESSED_FROM = 2_048

/**
 * Remembers what was made of `source` for one view of it, as long as the source is the same object: a list that changes with its
 * version, the settings. What is returned is the same object each time, so that it is written only once.
 */
export type Keep<A extends object> = (source: object, view: string, make: () => A) => A

export function createKept<A extends object>(): Keep<A> {
  const kept = new WeakMap<object, Map<string, A>>()
  return (source, view, make) => {
    const views = kept.get(source) ?? new Map<string, A>()
    kept.set(source, views)
    const known = views.get(view)
    if (known !== undefined) return known
    const [oldest] = views.keys()
    if (views.size >= MOST_VIEWS && oldest !== undefined) views.delete(oldest)
    const made = make()
    views.set(view, made)
    return made
  }
}

/** A JSON text that many are sent, each the same bytes. */
export interface WrittenDocument {
  readonly bytes: Buffer
  /** Weak, because it stands for the compressed form as well. */
  readonly etag: string
  /** Undefined for a small one. */
  readonly compressed: (() => Promise<Buffer>) | undefined
}

const compress = promisify(gzip)

export function writeDocument(content: object): WrittenDocument {
  const bytes = Buffer.from(JSON.stringify(content))
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
  let compressing: Promise<Buffer> | undefined
  return {
    bytes,
    etag: `W/"${digest}"`,
    compressed: bytes.length < COMPRESSED_FROM ? undefined : () => (compressing ??= compress(bytes)),
  }
}

/** Whether a header `If-None-Match` names the document (RFC 9110, section 13.1.2). */
export function hasIt(header: string | undefined, { etag }: WrittenDocument): boolean {
  const strong = etag.slice('W/'.length)
  return (header ?? '').split(',').some((part) => [etag, strong, '*'].includes(part.trim()))
}
