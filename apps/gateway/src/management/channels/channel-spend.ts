import type { Database } from '@sluice/store/database'
import { sumByChannel } from '@sluice/store/queries/channels'

const DAY_MS = 86_400_000
/** Sums of days before these two are final: a charge is dated by the moment it is made. */
const OPEN_DAYS = 2

/** What was charged through each channel so far (mq); channels without charges are absent. */
export type ChannelSpend = () => Promise<ReadonlyMap<number, bigint>>

/** Sums all past days once a day and adds the last ones at every call: a list page must not add up the whole history. */
export function createChannelSpend(database: Database, now: () => number): ChannelSpend {
  let past: { readonly before: number; readonly sums: Promise<ReadonlyMap<number, bigint>> } | undefined

  const sumPast = (before: number): Promise<ReadonlyMap<number, bigint>> => {
    if (past?.before === before) return past.sums
    const sums = sumByChannel(database.kysely, { from: 0, to: before })
    past = { before, sums }
    // A failed sum is not kept; whoever waits for it is told.
    sums.catch(() => (past = undefined))
    return sums
  }

  return async () => {
    const today = Math.floor(now() / DAY_MS)
    const before = today - OPEN_DAYS + 1
    const [closed, open] = await Promise.all([
      sumPast(before),
      sumByChannel(database.kysely, { from: before, to: today + 2 }),
    ])
    const total = new Map(closed)
    for (const [channel, amount] of open) total.set(channel, (total.get(channel) ?? 0n) + amount)
    return total
  }
}
