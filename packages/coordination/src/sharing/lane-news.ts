import type { CooldownCause } from '@sluice/routing/health'

/**
 * A report from one replica to the others about a channel: a lane is in cooldown for this long from now, or (with an empty cause)
 * all cooldowns of the channel are forgotten. Times are sent as durations, because replicas' clocks may differ.
 */
export interface LaneNews {
  readonly replica: string
  /** Number of the report, counted by the replica. */
  readonly number: number
  readonly channel: number
  readonly key: string
  /** Empty when the cooldown is for all models of the key. */
  readonly model: string
  readonly cause: CooldownCause | ''
  readonly leftMs: number
}

/** Longer cooldowns in reports are cut to this. */
export const LONGEST_COOLDOWN_MS = 600_000

export function writeNews({ replica, number, channel, key, model, cause, leftMs }: LaneNews): string {
  return JSON.stringify([replica, number, channel, key, model, cause, leftMs])
}

/** Undefined for text that `writeNews` did not write: the server might be shared with others. */
export function readNews(text: string): LaneNews | undefined {
  const parts = parseList(text)
  if (parts === undefined) return undefined
  const [replica, number, channel, key, model, cause, leftMs] = parts
  if (typeof replica !== 'string' || typeof key !== 'string' || typeof model !== 'string') return undefined
  if (!isCount(number) || !isCount(channel) || !isCount(leftMs) || !isCause(cause)) return undefined
  return { replica, number, channel, key, model, cause, leftMs }
}

export function isCause(value: unknown): value is LaneNews['cause'] {
  return CAUSES.has(value)
}

const CAUSES: ReadonlySet<unknown> = new Set<LaneNews['cause']>(['', 'limited', 'account', 'unknown_model', 'failing'])

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
