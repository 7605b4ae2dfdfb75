import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Cached views of one source; a further one replaces the oldest. */
const MOST_VIEWS = 16
/** Compression hardly shrinks smaller documents. */
const COMPRESSED_FROM = 2_048

/**
 * Caches what `make` returns for one view of `source`, as long as `source` is the same object, such as the settings or a list that
 * changes with its version. Returns the same object each time, so that it is serialised only once.
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

/** A JSON text that many callers get with the same bytes. */
export interface WrittenDocument {
  readonly bytes: Buffer
  /** A weak tag, because it also stands for the compressed form. */
  readonly etag: string
  /** Undefined for a small document. */
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
