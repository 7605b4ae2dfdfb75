import { dataUrlOf } from './draw.ts'
import type { Reduce } from './reduce.ts'
import { DESKTOP_REDUCTION, MOBILE_REDUCTION } from './reduction.ts'

/** Milliseconds for making one picture smaller, with all methods together. */
export const COMPRESSION_MS = { mobile: 15_000, desktop: 30_000 } as const
/** Milliseconds for reading a file as it is. */
export const READING_MS = 20_000

export type Processed =
  | { readonly kind: 'reduced'; readonly base64: string; readonly thumbnail: string }
  | { readonly kind: 'as-is'; readonly base64: string }
  | { readonly kind: 'unreadable' }

export interface ImageParts {
  /** The best method first. */
  readonly reduce: readonly Reduce[]
  /** The file as a `data:` address; undefined when its bytes are not a picture that every provider accepts. */
  readonly readAsIs: (file: Blob, signal: AbortSignal) => Promise<string | undefined>
  readonly mobile: boolean
}

/** Prepares a file for sending. Rejects only when the signal aborts it. */
export async function processImage(file: Blob, parts: ImageParts, signal: AbortSignal): Promise<Processed> {
  const reduction = parts.mobile ? MOBILE_REDUCTION : DESKTOP_REDUCTION
  const time = COMPRESSION_MS[parts.mobile ? 'mobile' : 'desktop']
  const reduced = await within(time, signal, async (inTime) => {
    for (const reduce of parts.reduce) {
      const answer = await reduce(file, reduction, inTime)
      if (answer !== undefined) return answer
    }
    return undefined
  })
  if (reduced !== undefined) return { kind: 'reduced', ...reduced }
  const base64 = await within(READING_MS, signal, (inTime) => parts.readAsIs(file, inTime))
  return base64 === undefined ? { kind: 'unreadable' } : { kind: 'as-is', base64 }
}

/** Undefined when the work failed or took longer; the signal passed to it then aborts. Rejects when the outer signal aborts. */
async function within<T>(
  milliseconds: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  outer.throwIfAborted()
  const inner = new AbortController()
  const end = () => inner.abort(outer.reason)
  outer.addEventListener('abort', end, { once: true })
  const timer = setTimeout(() => inner.abort(), milliseconds)
  try {
    return await work(inner.signal)
  } catch {
    outer.throwIfAborted()
    return undefined
  } finally {
    clearTimeout(timer)
    outer.removeEventListener('abort', end)
  }
}

/** Pictures that every provider accepts, by their first bytes. The file name does not count. */
const SIGNATURES = [
  { type: 'image/jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: 'image/gif', at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { type: 'image/webp', at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
] as const

/** Reads the first 12 bytes; undefined for types that not every provider accepts. */
export function signatureOf(head: Uint8Array): string | undefined {
  return SIGNATURES.find(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte))?.type
}

/** A `data:` address with the type that the bytes have; undefined for types that not every provider accepts. */
export async function readAsIs(file: Blob, signal: AbortSignal): Promise<string | undefined> {
  const type = signatureOf(new Uint8Array(await file.slice(0, 12).arrayBuffer()))
  if (type === undefined) return undefined
  const url = await dataUrlOf(file.slice(0, file.size, type))
  signal.throwIfAborted()
  return url
}
