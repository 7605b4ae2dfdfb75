import type { Database } from '@sluice/store/database'
import type { Options } from '@sluice/store/options/options'
import { findRootEmail } from '@sluice/store/queries/accounts/recipients'
import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import type { Log } from '../process/logger.ts'
import { writeMail } from './mail-texts.ts'
import type { EnqueueMail, Notice, Notify } from './mail.ts'

const TIMEOUT_MS = 10_000
const REPLY_BYTES = 65_536

export interface NotifyDeps {
  readonly database: Pick<Database, 'kysely'>
  readonly options: () => Options
  readonly fetchGuarded: FetchGuarded
  readonly enqueueMail: EnqueueMail
  /** Ends a call to the pusher when the process stops. */
  readonly signal: AbortSignal
  readonly log: Pick<Log, 'warn' | 'error'>
}

/** Notifies the operators: through the message pusher if one is set and accepts the message, otherwise by mail to root. */
export function createNotify(deps: NotifyDeps): Notify {
  return async (notice) => {
    const isNotified = (await push(deps, notice)) || (await mailRoot(deps, notice))
    if (!isNotified) deps.log.warn({ notice: notice.kind }, 'a notice could not be delivered to anyone')
  }
}

/** The protocol of github.com/songquanpeng/message-pusher: a JSON object, answered by `success` and `message`. */
async function push({ options, fetchGuarded, signal, log }: NotifyDeps, notice: Notice): Promise<boolean> {
  const { MessagePusherAddress: url, MessagePusherToken: token, SystemName } = options()
  if (url === '') return false
  const { subject, text } = writeMail(notice, SystemName, 'en')
  const reply = await fetchGuarded({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: subject, description: subject, content: text, token }),
    timeoutMs: TIMEOUT_MS,
    maxBytes: REPLY_BYTES,
    signal,
  })
  const problem = reply.ok ? refusalOf(reply.status, reply.body) : reply.reason
  if (problem !== undefined) log.warn({ notice: notice.kind, problem }, 'the message pusher did not accept a notice')
  return problem === undefined
}

/** The pusher's own message is left out: it might repeat the token. */
function refusalOf(status: number, body: Buffer): string | undefined {
  if (status < 200 || status > 299) return `it answered ${status}`
  try {
    const answer: unknown = JSON.parse(body.toString())
    const taken = typeof answer === 'object' && answer !== null && 'success' in answer && answer.success === true
    return taken ? undefined : 'it answered without success'
  } catch {
    return 'its answer is not JSON'
  }
}

async function mailRoot({ database, enqueueMail, log }: NotifyDeps, notice: Notice): Promise<boolean> {
  try {
    const to = await findRootEmail(database.kysely)
    return to !== undefined && (await enqueueMail(database.kysely, { ...notice, to })) === 'queued'
  } catch (error) {
    log.error({ error }, 'a notice could not be added to the outbox')
    return false
  }
}
