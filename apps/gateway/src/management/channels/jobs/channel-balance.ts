import { CHANNEL_STATUS } from '@sluice/contract/channel'
import { isRefusal, type Refusal, refusalText } from '@sluice/contract/errors'
import type { Balance, BalanceStep } from '@sluice/providers/balance-source'
import {
  type ChannelTarget,
  listChannelTargets,
  recordChannelBalance,
} from '@sluice/store/queries/channels/channel-results'
import { findChannel } from '@sluice/store/queries/channels/channels'
import { invalidField } from '../../issue-text.ts'
import type { SharedPorts } from '../../ports.ts'
import type { Caller } from '../../sessions/caller.ts'
import { NOT_FOUND } from '../channel-changes.ts'
import { usableKey } from '../channel-keys.ts'
import { type ChannelJobDeps, type ChannelJobRunner, createChannelJob, type JobStep, SCHEDULE } from './channel-job.ts'

/** Time limit of each of at most two requests; together less than the ten seconds that the console waits. */
const TIMEOUT_MS = 4_500
const REPLY_BYTES = 65_536
/** No vendor needs more requests. */
const STEPS_MAX = 3

export interface ChannelBalances extends Pick<ChannelJobRunner, 'state' | 'stop' | 'begins'> {
  readonly askOne: (id: number, signal: AbortSignal) => Promise<Balance | Refusal>
  /** Starts requesting the balances of all enabled channels and returns at once; refused while any replica does this. */
  readonly startAll: (caller: Caller) => Promise<Refusal | undefined>
  /** Starts a scheduled run if it is still due under the lease. */
  readonly startDue: (isDue: () => Promise<boolean>) => Promise<void>
}

export interface ChannelBalanceDeps extends ChannelJobDeps, Pick<SharedPorts, 'vault' | 'kinds' | 'fetchGuarded'> {}

export function createChannelBalances(deps: ChannelBalanceDeps): ChannelBalances {
  const db = deps.database.kysely
  const job = createChannelJob(deps, { job: 'channel-balance', what: 'The balance update' })

  const askOne = async (id: number, signal: AbortSignal): Promise<Balance | Refusal> => {
    const channel = await findChannel(db, id)
    if (channel === undefined) return NOT_FOUND
    // Several keys can belong to different accounts, and one figure can describe only one of them.
    const key = await usableKey(deps, channel)
    if (key === undefined) return { code: 'channel_key_lost' }
    if (!deps.kinds.typesWithBalance.includes(channel.type)) {
      return { code: 'balance_unsupported', params: { type: deps.kinds.name(channel.type) ?? channel.type } }
    }
    const step = deps.kinds.balanceStep(channel.type, { baseUrl: channel.baseUrl, key })
    if ('rule' in step) return invalidField(step.field, step.rule)
    const balance = await follow(deps, step, signal)
    if (typeof balance === 'string') return { code: 'balance_unread', params: { reason: balance } }
    await recordChannelBalance(db, id, { ...balance, time: Math.floor(deps.now() / 1_000) })
    return balance
  }

  const listTargets = () =>
    listChannelTargets(db, { statuses: [CHANNEL_STATUS.enabled], types: deps.kinds.typesWithBalance })
  const look = async ({ id }: ChannelTarget, signal: AbortSignal): Promise<JobStep> => {
    const answer = await askOne(id, signal)
    return isRefusal(answer) ? { ok: false, reason: refusalText(answer) } : { ok: true, reason: '' }
  }

  return {
    askOne,
    state: job.state,
    stop: job.stop,
    begins: job.begins,
    startAll: ({ id, username }) =>
      job.start({ scope: 'enabled', startedBy: { id, username }, targets: listTargets, each: look }),
    startDue: async (isDue) => {
      if (!(await isDue())) return
      const targets = async () => ((await isDue()) ? await listTargets() : undefined)
      await job.start({ scope: 'enabled', startedBy: SCHEDULE, targets, each: look })
    },
  }
}

async function follow(
  { fetchGuarded }: Pick<SharedPorts, 'fetchGuarded'>,
  first: BalanceStep,
  signal: AbortSignal,
): Promise<Balance | string> {
  let step = first
  for (let requested = 0; requested < STEPS_MAX; requested++) {
    const { url, secretHeaders } = step
    const reply = await fetchGuarded({
      method: 'GET',
      url,
      headers: { accept: 'application/json' },
      secretHeaders,
      timeoutMs: TIMEOUT_MS,
      maxBytes: REPLY_BYTES,
      signal,
    })
    if (!reply.ok) return reply.reason
    if (reply.status !== 200) return `it answered with status ${reply.status}`
    const outcome = step.read(parse(reply.body))
    if ('unread' in outcome) return outcome.unread
    if ('micros' in outcome) return outcome
    step = outcome
  }
  return 'it required too many requests'
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
