import type { Ledger } from '@sluice/ledger/ledger'
import type { Settlement } from '@sluice/ledger/operation'
import type { Timers } from '@sluice/ledger/timers'
import { mq, mqFromQuota, wholeQuota } from '@sluice/ledger/units'
import type { Database } from '@sluice/store/database'
import type { Options } from '@sluice/store/options'
import {
  claimReminder,
  dropReminder,
  findLowBalances,
  type LowBalance,
  rearmReminders,
} from '@sluice/store/queries/recipients'
import type { Log } from '../logger.ts'
import type { EnqueueMail } from './mail.ts'

/** Users remembered between two looks; one that does not fit is seen at its next charge. */
const WATCHED_USERS = 1_000
const LOOK_MS = 10_000
const REARM_MS = 60_000
const REARMED_ROWS = 1_000

export interface QuotaReminderDeps {
  readonly database: Pick<Database, 'kysely'>
  readonly ledger: Pick<Ledger, 'knownBalance'>
  readonly options: () => Options
  readonly enqueueMail: EnqueueMail
  readonly timers: Pick<Timers, 'every'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Pick<Log, 'error'>
}

export interface QuotaReminder {
  /** Called after every charge; a comparison of numbers in memory, nothing more. */
  charged(settlement: Pick<Settlement, 'account' | 'userId'>): void
  /** Ends the timers and waits for a look on its way. */
  close(): Promise<void>
}

/**
 * Mails users whose balance has fallen below option `QuotaRemindThreshold`: once, and again only after the balance has been
 * above it. The paid path only notes who seems low; every few seconds the database is asked about those, and the mark that
 * a user was reminded is stored in the transaction of the mail, so that no other replica and no restart repeats it.
 */
export function openQuotaReminder(deps: QuotaReminderDeps): QuotaReminder {
  const { ledger, options, timers, log } = deps
  const low = new Set<number>()
  const running = new Set<Promise<void>>()

  const run = (work: () => Promise<void>): void => {
    if (running.size > 1) return
    const task = work()
      .catch((error: unknown) => log.error({ error }, 'low balances could not be looked for'))
      .finally(() => running.delete(task))
    running.add(task)
  }
  const threshold = (): bigint => mqFromQuota(options().QuotaRemindThreshold)
  const look = async (): Promise<void> => {
    const userIds = [...low]
    low.clear()
    for (const user of await findLowBalances(deps.database.kysely, userIds, threshold())) await remind(deps, user)
  }
  const stops = [
    timers.every(LOOK_MS, () => {
      if (low.size > 0) run(look)
    }),
    timers.every(REARM_MS, () => run(() => rearmReminders(deps.database.kysely, threshold(), REARMED_ROWS))),
  ]
  return {
    charged: ({ account, userId }) => {
      const balance = ledger.knownBalance(account)
      if (balance === undefined || balance.unlimited || balance.available >= threshold()) return
      if (low.size < WATCHED_USERS) low.add(userId)
    },
    close: async () => {
      for (const stop of stops) stop()
      await Promise.all(running)
    },
  }
}

async function remind({ database, options, enqueueMail, now }: QuotaReminderDeps, user: LowBalance): Promise<void> {
  const { userId, username, email: to } = user
  const quota = wholeQuota(mq(user.posted))
  await database.kysely.transaction().execute(async (trx) => {
    if (!(await claimReminder(trx, userId, now()))) return
    const answer = await enqueueMail(trx, { kind: 'quota_low', to, username, quota, link: options().TopUpLink })
    // Tried again at the next charge. A user whose address is none would be looked at for ever, so that one stays marked.
    if (answer === 'full' || answer === 'not_configured') await dropReminder(trx, userId)
  })
}
