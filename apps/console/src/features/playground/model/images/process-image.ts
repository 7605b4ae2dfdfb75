import type { Reduce } from './reduce.ts'
import { DESKTOP_REDUCTION, MOBILE_REDUCTION } from './reduction.ts'

/** Milliseconds for making one picture smaller, for all methods together. */
export const COMPRESSION_MS = { mobile: 15_000, desktop: 30_000 } as const
/** Milliseconds for reading a file as it is. */
export const READING_MS = 20_000

export type Processed =
  | { readonly kind: 'reduced'; readonly base64: string; readonly thumbnail: string }
  /** It could not be made smaller and is sent unchanged. */
  | { readonly kind: 'as-is'; readonly base64: string }
  | { readonly kind: 'unreadable' }

export interface ImageParts {
  /** Methods of making a picture smaller, the best first. */
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
