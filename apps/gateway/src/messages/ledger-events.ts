import type { Timers } from '@sluice/ledger/timers'
import { mq, mqFromQuota, wholeQuota } from '@sluice/ledger/units'
import type { Database } from '@sluice/store/database'
import type { Options } from '@sluice/store/options/options'
import {
  type AccountHolder,
  findAccountHolder,
  findEvents,
  putBackEvent,
  takeEvent,
  type WaitingEvent,
} from '@sluice/store/queries/ledger/ledger-events'
import type { Schema } from '@sluice/store/schema/schema'
import type { Kysely } from 'kysely'
import type { Log } from '../process/logger.ts'
import type { EnqueueMail, MailContent, Notify } from './mail.ts'

const LOOK_MS = 5_000
/** Events handled in one poll; the others wait for the next. */
const MAX_EVENTS = 200

export interface LedgerEventsDeps {
  readonly database: Pick<Database, 'kysely'>
  readonly options: () => Options
  readonly enqueueMail: EnqueueMail
  readonly notify: Notify
  readonly timers: Pick<Timers, 'every'>
  readonly log: Pick<Log, 'error'>
}

/**
 * Handles the events that the ledger has written, every few seconds, on whichever replica comes first:
 *
 * balance_low → mail to the user, unless the balance has recovered meanwhile
 * budget_low → mail to the user, or to the owner of the token
 * charge_corrected → one notice to the operators for all that were found at the same time
 *
 * An event is deleted in the transaction that puts its mail into the outbox, so each mail is queued exactly once, even if a process
 * dies. When no mail server is configured, or a user has no address, an event is deleted without a mail: it would be stale by the
 * time there is one.
 */
export function openLedgerEvents(deps: LedgerEventsDeps): { close(): Promise<void> } {
  let running: Promise<void> | undefined
  const look = (): void => {
    running ??= dealWithEvents(deps)
      .catch((error: unknown) => deps.log.error({ error }, 'ledger events could not be processed'))
      .finally(() => {
        running = undefined
      })
  }
  const stop = deps.timers.every(LOOK_MS, look)
  return {
    close: async () => {
      stop()
      await running
    },
  }
}

async function dealWithEvents(deps: LedgerEventsDeps): Promise<void> {
  const { kysely } = deps.database
  const events = await findEvents(kysely, MAX_EVENTS)
  const isCorrection = ({ kind }: WaitingEvent): boolean => kind === 'charge_corrected'
  // Comes first: once events are taken, their notice is sent, whatever fails afterwards.
  await tellOperators(deps, events.filter(isCorrection))
  for (const event of events) {
    if (!isCorrection(event)) await kysely.transaction().execute((trx) => tellOwner(deps, trx, event))
  }
}

async function tellOperators(
  { database, notify }: LedgerEventsDeps,
  corrections: readonly WaitingEvent[],
): Promise<void> {
  if (corrections.length === 0) return
  const taken = await database.kysely.transaction().execute(async (trx) => {
    const own: WaitingEvent[] = []
    for (const event of corrections) if (await takeEvent(trx, event.id)) own.push(event)
    return own
  })
  const [first] = taken
  if (first !== undefined) {
    await notify({ kind: 'charges_corrected', count: taken.length, requestId: first.subject })
  }
}

/** When the outbox is full, the mail waits for a later poll. */
async function tellOwner(
  { options, enqueueMail }: LedgerEventsDeps,
  trx: Kysely<Schema>,
  event: WaitingEvent,
): Promise<void> {
  if (!(await takeEvent(trx, event.id))) return
  const holder = await findAccountHolder(trx, event.account)
  const content = holder && contentOf(event, holder, options())
  if (holder === undefined || content === undefined) return
  if ((await enqueueMail(trx, { ...content, to: holder.email })) === 'full') await putBackEvent(trx, event)
}

function contentOf(event: WaitingEvent, holder: AccountHolder, options: Options): MailContent | undefined {
  const { username, posted } = holder
  if (event.kind === 'budget_low') {
    const period = event.subject
    if (period !== 'day' && period !== 'week' && period !== 'month') return undefined
    return { kind: 'budget_low', username, token: holder.token ?? '', period, quota: wholeQuota(mq(event.amount)) }
  }
  if (posted >= mqFromQuota(options.QuotaRemindThreshold)) return undefined
  return { kind: 'quota_low', username, quota: wholeQuota(mq(posted)), link: options.TopUpLink }
}
