import type { Refusal } from '@sluice/contract/errors'
import { type ChannelTarget, listChannelTargets, recordChannelTest } from '@sluice/store/queries/channel-results'
import { findChannel, setChannelStatus } from '@sluice/store/queries/channels'
import { insertLog } from '@sluice/store/queries/logs'
import { splitList } from '@sluice/store/snapshots/lists'
import { invalidField } from '../issue-text.ts'
import type { ManagementDeps, ProbeResult } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { NOT_FOUND } from './channel-changes.ts'
import { type ChannelJobRunner, createChannelJob } from './channel-job.ts'
import { countOf, verdictOf } from './channel-verdict.ts'

/** Longer than the console waits; the result is stored with the channel, so it is still of use then. */
const TIMEOUT_MS = 30_000
const MESSAGE_MAX = 500
/** By scope of a test of all. */
const STATUSES = { all: [1, 2, 3], disabled: [2, 3] } as const

/** Tests of channels: one while the caller waits, or all in the background. */
export interface ChannelTests {
  /** `model` empty takes the stored testing model, else the cheapest. */
  readonly testOne: (caller: Caller, id: number, model: string) => Promise<ProbeResult | Refusal>
  /** Starts and answers at once; refused while such a test runs. */
  readonly startAll: (caller: Caller, scope: 'all' | 'disabled') => Refusal | undefined
  readonly state: ChannelJobRunner['state']
}

export function createChannelTests(deps: ManagementDeps): ChannelTests {
  const db = deps.database.kysely
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)
  const job = createChannelJob(deps, 'A test of all channels')

  /** The result, stored and logged, with the counted tests of the channel that are known now. */
  const test = async (caller: Caller, target: ChannelTarget, model: string | null, signal: AbortSignal) => {
    const probed = await deps.probeChannel(target.id, model, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
    const result = { ...probed, message: probed.message.slice(0, MESSAGE_MAX) }
    const elapsedMs = Math.round(result.elapsedMs)
    const recent = await recordChannelTest(db, target.id, {
      responseTime: result.ok ? elapsedMs : 0,
      testTime: nowSeconds(),
      counts: countOf(result, deps.options()),
    })
    await insertLog(db, {
      type: 5,
      createdAt: nowSeconds(),
      userId: caller.id,
      username: caller.username,
      content: `${result.ok ? 'Test succeeded' : 'Test failed'}: ${result.message}`,
      model: result.model,
      channelId: target.id,
      channelName: target.name,
      elapsedMs,
    })
    return { result, recent: recent ?? '' }
  }

  /** Switches a channel off or on by its tests where the settings say so, and tells the operators. */
  const react = async (caller: Caller, target: ChannelTarget, result: ProbeResult, recent: string) => {
    const verdict = verdictOf(target.status, result, recent, deps.options())
    if (verdict === undefined || !(await setChannelStatus(db, target.id, verdict.status, target.status)))
      return undefined
    const became = verdict.status === 1 ? 'enabled' : 'disabled'
    await insertLog(db, {
      type: 4,
      createdAt: nowSeconds(),
      userId: caller.id,
      username: caller.username,
      content: `Channel ${target.name} (id ${target.id}) ${became} by its test: ${verdict.reason}`,
      channelId: target.id,
      channelName: target.name,
    })
    await deps.notify(
      became === 'enabled'
        ? { kind: 'channel_enabled', channel: target.name, id: target.id }
        : { kind: 'channel_disabled', channel: target.name, id: target.id, reason: verdict.reason },
    )
    return became
  }

  return {
    state: job.state,
    testOne: async (caller, id, model) => {
      const channel = await findChannel(db, id)
      if (channel === undefined) return NOT_FOUND
      if (model !== '' && !splitList(channel.models).includes(model)) {
        return invalidField('model', 'is not one of the models of this channel')
      }
      const { result } = await test(caller, channel, model || testingModel(channel), new AbortController().signal)
      return result
    },
    startAll: (caller, scope) =>
      job.start({
        scope,
        targets: () => listChannelTargets(db, { statuses: STATUSES[scope] }),
        each: async (target, signal) => {
          const { result, recent } = await test(caller, target, testingModel(target), signal)
          return { ok: result.ok, became: await react(caller, target, result, recent) }
        },
        ended: ({ done, failed }) => deps.notify({ kind: 'channels_tested', tested: done, failed }),
      }),
  }
}

/** Null asks for the cheapest: none is set, or the list has changed under it. */
function testingModel({ models, testingModel: model }: Pick<ChannelTarget, 'models' | 'testingModel'>): string | null {
  return model !== null && splitList(models).includes(model) ? model : null
}
