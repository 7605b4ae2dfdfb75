import { dayOf } from '@sluice/observe/day'
import type { Database } from '@sluice/store/database'
import { sumByChannel } from '@sluice/store/queries/channels/channels'

/** How long the sum of past days is cached; the latest days are added at every call. */
const KEEP_MS = 60_000
/** Charges are dated when they are made, so older days change only through imports and repairs. */
const FRESH_DAYS = 2

/** The total charged through each channel (mq); channels without charges are absent. */
export type ChannelSpend = () => Promise<ReadonlyMap<number, bigint>>

/** Caches sums, because a list page must not add up the whole history each time. */
export function createChannelSpend(database: Database, now: () => number): ChannelSpend {
  let past: { readonly before: number; readonly since: number; readonly sums: ReturnType<ChannelSpend> } | undefined

  const sumPast = (before: number): ReturnType<ChannelSpend> => {
    if (past?.before === before && Math.abs(now() - past.since) < KEEP_MS) return past.sums
    const sums = sumByChannel(database.kysely, { from: 0, to: before })
    past = { before, since: now(), sums }
    // A failed sum is not cached; waiting callers get the error.
    sums.catch(() => (past = undefined))
    return sums
  }

  return async () => {
    const today = dayOf(now())
    const before = today - FRESH_DAYS + 1
    const [closed, open] = await Promise.all([
      sumPast(before),
      sumByChannel(database.kysely, { from: before, to: today + 2 }),
    ])
    const total = new Map(closed)
    for (const [channel, amount] of open) total.set(channel, (total.get(channel) ?? 0n) + amount)
    return total
  }
}
