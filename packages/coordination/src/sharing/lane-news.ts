import type { RestCause } from '@sluice/routing/health'

/**
 * What one replica tells the others of a channel: a lane rests for so long from now on, or whatever was held against the channel
 * is forgotten (an empty cause). Times travel as lengths, as clocks of replicas may differ.
 */
export interface LaneNews {
  readonly replica: string
  /** Counts what the replica has told. */
  readonly number: number
  readonly channel: number
  readonly key: string
  /** Empty: every model of the key. */
  readonly model: string
  readonly cause: RestCause | ''
  readonly leftMs: number
}

/** No rest is longer, whoever says so. */
export const LONGEST_REST_MS = 600_000

/** As text for all who listen. */
export function writeNews({ replica, number, channel, key, model, cause, leftMs }: LaneNews): string {
  return JSON.stringify([replica, number, channel, key, model, cause, leftMs])
}

/** Undefined when it is not what `writeNews` writes: the server may be shared with others. */
export function readNews(text: string): LaneNews | undefined {
  const parts = parseList(text)
  if (parts === undefined) return undefined
  const [replica, number, channel, key, model, cause, leftMs] = parts
  if (typeof replica !== 'string' || typeof key !== 'string' || typeof model !== 'string') return undefined
  if (!isCount(number) || !isCount(channel) || !isCount(leftMs) || !isCause(cause)) return undefined
  return { replica, number, channel, key, model, cause, leftMs }
}

export function isCause(value: unknown): value is LaneNews['cause'] {
  return value === '' || value === 'limited' || value === 'account' || value === 'failing'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
