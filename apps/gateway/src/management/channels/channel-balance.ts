import type { Refusal } from '@sluice/contract/errors'
import { listChannelTargets, recordChannelBalance } from '@sluice/store/queries/channel-results'
import { findChannel } from '@sluice/store/queries/channels'
import type { Balance, BalanceStep } from '../channel-kinds.ts'
import { invalidField } from '../issue-text.ts'
import type { ManagementDeps } from '../ports.ts'
import { NOT_FOUND } from './channel-changes.ts'
import { type ChannelJobRunner, createChannelJob } from './channel-job.ts'
import { usableKey } from './channel-keys.ts'

/** Below the ten seconds that the console waits, for each of at most two requests. */
const TIMEOUT_MS = 4_500
const REPLY_BYTES = 65_536
/** No vendor takes more requests than this. */
const STEPS_MAX = 3
const ENABLED = 1

/** Looks at what is left at the providers. */
export interface ChannelBalances {
  /** Asks, stores and answers it. */
  readonly askOne: (id: number, signal: AbortSignal) => Promise<Balance | Refusal>
  /** Starts a look at all enabled channels and answers at once; refused while one runs. */
  readonly startAll: () => Refusal | undefined
  readonly state: ChannelJobRunner['state']
}

export function createChannelBalances(
  deps: Pick<ManagementDeps, 'database' | 'vault' | 'kinds' | 'fetchOutside' | 'inBackground' | 'now' | 'versions'>,
): ChannelBalances {
  const db = deps.database.kysely
  const job = createChannelJob(deps, 'A look at all balances')

  const askOne = async (id: number, signal: AbortSignal): Promise<Balance | Refusal> => {
    const channel = await findChannel(db, id)
    if (channel === undefined) return NOT_FOUND
    // Of several keys: accounts are told apart by key, and one figure can only be about one.
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

  return {
    askOne,
    state: job.state,
    startAll: () =>
      job.start({
        scope: 'enabled',
        targets: () => listChannelTargets(db, { statuses: [ENABLED], types: deps.kinds.typesWithBalance }),
        each: async ({ id }, signal) => ({ ok: !('code' in (await askOne(id, signal))) }),
      }),
  }
}

/** The balance, or why there is none. */
async function follow(
  { fetchOutside }: Pick<ManagementDeps, 'fetchOutside'>,
  first: BalanceStep,
  signal: AbortSignal,
): Promise<Balance | string> {
  let step = first
  for (let asked = 0; asked < STEPS_MAX; asked++) {
    const { url, secretHeaders } = step
    const reply = await fetchOutside({
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
  return 'it took too many requests'
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
