import { CHANNEL_STATUS } from '@sluice/contract/channel'
import type { Refusal } from '@sluice/contract/errors'
import { findChannel, listTestTargets, recordChannelTest, setChannelStatus } from '@sluice/store/queries/channels'
import { insertLog } from '@sluice/store/queries/logs'
import type { ManagementDeps, ProbeResult } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'

/** Longer than the console waits; the result is stored with the channel, so it is still of use then. */
const TIMEOUT_MS = 30_000
/** Channels tested at the same time. */
const PARALLEL = 4
const MESSAGE_MAX = 500

interface Target {
  readonly id: number
  readonly name: string
  readonly status: number
  readonly testingModel: string | null
}

/** Tests of channels: one while the caller waits, or all in the background. */
export interface ChannelTests {
  /** `model` empty takes the stored testing model, else the cheapest. */
  readonly testOne: (caller: Caller, id: number, model: string) => Promise<ProbeResult | Refusal>
  /** Starts and answers at once; refused while such a test runs. */
  readonly startAll: (caller: Caller, scope: 'all' | 'disabled') => Refusal | undefined
}

export function createChannelTests(deps: ManagementDeps): ChannelTests {
  const db = deps.database.kysely
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)
  let running = false

  const test = async (
    caller: Caller,
    target: Target,
    model: string | null,
    signal: AbortSignal,
  ): Promise<ProbeResult> => {
    const result = await deps.probeChannel(target.id, model, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
    const elapsedMs = Math.round(result.elapsedMs)
    const message = result.message.slice(0, MESSAGE_MAX)
    await recordChannelTest(db, target.id, { responseTime: result.ok ? elapsedMs : 0, testTime: nowSeconds() })
    await insertLog(db, {
      type: 5,
      createdAt: nowSeconds(),
      userId: caller.id,
      username: caller.username,
      content: `${result.ok ? 'Test succeeded' : 'Test failed'}: ${message}`,
      model: result.model,
      channelId: target.id,
      channelName: target.name,
      elapsedMs,
    })
    return { ...result, message }
  }

  /** Switches a channel off or on by its result where the settings say so. What a person disabled stays disabled. */
  const react = async (caller: Caller, target: Target, result: ProbeResult): Promise<void> => {
    const { AutomaticDisableChannelEnabled, AutomaticEnableChannelEnabled } = deps.options()
    const next =
      !result.ok && target.status === CHANNEL_STATUS.enabled && AutomaticDisableChannelEnabled
        ? CHANNEL_STATUS.autoDisabled
        : result.ok && target.status === CHANNEL_STATUS.autoDisabled && AutomaticEnableChannelEnabled
          ? CHANNEL_STATUS.enabled
          : undefined
    if (next === undefined || !(await setChannelStatus(db, target.id, next, target.status))) return
    await insertLog(db, {
      type: 4,
      createdAt: nowSeconds(),
      userId: caller.id,
      username: caller.username,
      content: `Channel ${target.name} (id ${target.id}) ${next === CHANNEL_STATUS.enabled ? 'enabled' : 'disabled'} by its test: ${result.message}`,
      channelId: target.id,
      channelName: target.name,
    })
  }

  const testEach = async (caller: Caller, targets: readonly Target[], signal: AbortSignal): Promise<void> => {
    const queue = targets.values()
    const worker = async (): Promise<void> => {
      for (const target of queue) {
        if (signal.aborted) return
        await react(caller, target, await test(caller, target, target.testingModel, signal))
      }
    }
    await Promise.all(Array.from({ length: PARALLEL }, worker))
  }

  return {
    testOne: async (caller, id, model) => {
      const channel = await findChannel(db, id)
      if (channel === undefined) return { code: 'not_found', params: { what: 'Channel' } }
      return await test(caller, channel, model || channel.testingModel, new AbortController().signal)
    },
    startAll: (caller, scope) => {
      if (running) return { code: 'refused', params: { reason: 'A test of all channels is running already.' } }
      running = true
      const statuses = scope === 'all' ? [1, 2, 3] : [CHANNEL_STATUS.disabled, CHANNEL_STATUS.autoDisabled]
      deps.inBackground(async (signal) => {
        try {
          await testEach(caller, await listTestTargets(db, statuses), signal)
          await deps.versions.check()
        } finally {
          running = false
        }
      })
      return undefined
    },
  }
}
