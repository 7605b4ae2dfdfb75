import type { Timers } from '@sluice/ledger/timers'
import type { Database } from '@sluice/store/database'
import type { Options } from '@sluice/store/options/options'
import {
  type AttemptEnd,
  type ClaimedMessage,
  claimMessages,
  finishAttempt,
  sweepMessages,
} from '@sluice/store/queries/outbox'
import type { Vault } from '@sluice/store/vault'
import type { Log } from '../process/logger.ts'
import type { Deliver, Delivery } from './delivery.ts'
import type { WrittenMail } from './mail-texts.ts'
import { mailTransport } from './mail-transport.ts'

/** Milliseconds and counts. */
export const SENDER_LIMITS = {
  /** Mails sent at the same time. */
  batch: 4,
  attemptMs: 60_000,
  /** Longer than an attempt: only a sender that died loses its claim. */
  leaseMs: 180_000,
  maxAttempts: 10,
  firstRetryMs: 15_000,
  longestRetryMs: 3_600_000,
  pollMs: 15_000,
  /** After a wake-up, the transaction that caused it gets this long to commit. */
  wakeMs: 100,
  sweepMs: 3_600_000,
  keepSentMs: 7 * 86_400_000,
  keepDeadMs: 30 * 86_400_000,
  sweepRows: 1_000,
} as const

export interface SenderDeps {
  readonly database: Pick<Database, 'kysely'>
  readonly vault: Vault
  readonly options: () => Options
  readonly deliver: Deliver
  readonly timers: Pick<Timers, 'every' | 'after'>
  /** Unix milliseconds. */
  readonly now: () => number
  /** From 0 to 1. */
  readonly random: () => number
  readonly newId: () => string
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>
}

/** The sending side of the outbox; every replica has one. */
export interface OutboxSender {
  /** Checks for mail soon instead of in the next round. */
  wake(): void
  /** Takes no new mails and waits for those being sent; when `signal` aborts, these are interrupted and wait for the next start. */
  close(signal?: AbortSignal): Promise<void>
}

/** Sends due mails at least once: a process that dies between sending and recording sends again, under the same message id. */
export function openOutboxSender(deps: SenderDeps): OutboxSender {
  const stop = new AbortController()
  const cut = new AbortController()
  let running: Promise<void> | undefined
  let again = false
  let cancelWake: (() => void) | undefined

  const look = (): void => {
    if (stop.signal.aborted) return
    if (running !== undefined) {
      again = true
      return
    }
    again = false
    running = sendDue(deps, stop.signal, cut.signal)
      .catch((error: unknown) => deps.log.error({ error }, 'the outbox could not be read'))
      .finally(() => {
        running = undefined
        if (again) look()
      })
  }
  const stopPolling = deps.timers.every(SENDER_LIMITS.pollMs, look)
  const stopSweeping = deps.timers.every(SENDER_LIMITS.sweepMs, () => void sweep(deps))
  return {
    wake: () => {
      if (cancelWake !== undefined || stop.signal.aborted) return
      cancelWake = deps.timers.after(SENDER_LIMITS.wakeMs, () => {
        cancelWake = undefined
        look()
      })
    },
    close: async (signal) => {
      stop.abort()
      cancelWake?.()
      stopPolling()
      stopSweeping()
      const cutAll = (): void => cut.abort()
      signal?.addEventListener('abort', cutAll)
      if (signal?.aborted) cutAll()
      await running
      signal?.removeEventListener('abort', cutAll)
    },
  }
}

async function sendDue(deps: SenderDeps, stop: AbortSignal, cut: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const now = deps.now()
    const lease = deps.newId()
    const until = now + SENDER_LIMITS.leaseMs
    const claimed = await claimMessages(deps.database.kysely, { lease, now, until, limit: SENDER_LIMITS.batch })
    if (claimed.length === 0) return
    await Promise.all(claimed.map((message) => sendOne(deps, message, lease, cut)))
  }
}

async function sendOne(deps: SenderDeps, message: ClaimedMessage, lease: string, cut: AbortSignal): Promise<void> {
  const { id, kind, attempts } = message
  const end = conclude(deps, message, await attempt(deps, message, cut))
  const kept = await finishAttempt(deps.database.kysely, id, lease, end, deps.now())
  const fields = { message: id, kind, attempts, state: end.state, kept }
  if (end.state === 'sent') deps.log.debug(fields, 'a mail was sent')
  else
    deps.log.warn(
      { ...fields, problem: end.problem },
      end.state === 'dead' ? 'a mail could not be delivered' : 'a mail waits',
    )
}

async function attempt(deps: SenderDeps, message: ClaimedMessage, cut: AbortSignal): Promise<Delivery> {
  const fail = (permanent: boolean, problem: string): Delivery => ({ ok: false, permanent, problem })
  if (deps.now() >= message.expires) return fail(true, 'it was too late to send it')
  // A claim without a recorded result counts as an attempt, so a mail that kills its sender is abandoned in the end.
  if (message.attempts > SENDER_LIMITS.maxAttempts) return fail(true, 'too many attempts were interrupted')
  const opened = deps.vault.open('message', message.contentSealed)
  if (!opened.ok) return fail(true, `its content cannot be decrypted: ${opened.reason}`)
  const transport = mailTransport(deps.options())
  if (transport === undefined) return fail(false, 'no mail server is set up')
  // Only `createOutbox` writes this column.
  const mail = JSON.parse(opened.text) as WrittenMail
  const deliveryId = `sluice-${message.created}-${message.id}`
  const signal = AbortSignal.any([cut, AbortSignal.timeout(SENDER_LIMITS.attemptMs)])
  return await deps.deliver(transport, { ...mail, to: message.recipient, deliveryId }, signal)
}

/** The result of an attempt: retries at growing intervals, never beyond the lifetime of the mail. */
function conclude({ now, random }: SenderDeps, { attempts, expires }: ClaimedMessage, delivery: Delivery): AttemptEnd {
  if (delivery.ok) return { state: 'sent' }
  const { problem } = delivery
  const due = now() + retryDelay(attempts, random())
  const isOver = delivery.permanent || attempts >= SENDER_LIMITS.maxAttempts || due >= expires
  return isOver ? { state: 'dead', problem } : { state: 'waiting', problem, due }
}

/** Milliseconds: doubled with every attempt, then reduced at random by up to a quarter, so that replicas and mails spread out. */
export function retryDelay(attempts: number, chance: number): number {
  const { firstRetryMs, longestRetryMs } = SENDER_LIMITS
  const delay = Math.min(longestRetryMs, firstRetryMs * 2 ** (attempts - 1))
  return Math.round(delay * (1 - chance / 4))
}

async function sweep({ database, now, log }: SenderDeps): Promise<void> {
  const { keepSentMs, keepDeadMs, sweepRows } = SENDER_LIMITS
  try {
    await sweepMessages(database.kysely, 'sent', now() - keepSentMs, sweepRows)
    await sweepMessages(database.kysely, 'dead', now() - keepDeadMs, sweepRows)
  } catch (error) {
    log.error({ error }, 'old mail could not be removed')
  }
}
