import type { FollowUp } from '../canon/codec.ts'
import type { UpstreamError } from '../canon/upstream-error.ts'
import { asObject, type JsonObject } from '../json-value.ts'

/** Replicate holds its reply back for up to this long while a prediction runs. */
export const WAIT_HEADERS: readonly string[] = ['prefer', 'wait=60']

const POLL_MS = 1_000

/** Where to poll; undefined once the prediction has ended. The address is Replicate's own; only its path is used. */
export function followUpOf({ status, urls, id }: JsonObject): FollowUp | undefined {
  if (status !== 'starting' && status !== 'processing') return undefined
  const url = asObject(urls)?.['get']
  const path = typeof url === 'string' ? /^https?:\/\/[^/]+(\/[^?#]*)/.exec(url)?.[1] : undefined
  if (path !== undefined) return { path, afterMs: POLL_MS }
  return typeof id === 'string' ? { path: `/v1/predictions/${encodeURIComponent(id)}`, afterMs: POLL_MS } : undefined
}

/** The generated texts or addresses; undefined unless the prediction succeeded. */
export function outputOf({ status, output }: JsonObject): readonly string[] | undefined {
  if (status !== 'succeeded') return undefined
  if (typeof output === 'string') return [output]
  return Array.isArray(output) && output.every((piece) => typeof piece === 'string') ? output : undefined
}

export function failureOf({ status, error, detail, title }: JsonObject): UpstreamError | undefined {
  const details = { type: undefined, code: undefined, param: undefined }
  if (typeof detail === 'string') {
    const message = textOr(detail) ?? textOr(title) ?? 'Replicate reported an error.'
    return { ...details, message, code: typeof status === 'number' ? status : undefined, type: textOr(title) }
  }
  if (status === 'failed' || status === 'canceled' || status === 'aborted') {
    return { ...details, message: textOr(error) ?? `The prediction was ${status}.` }
  }
  return undefined
}

const textOr = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
