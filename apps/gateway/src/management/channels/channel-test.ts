import type { Refusal } from '@sluice/contract/errors'
import { recordChannelTest } from '@sluice/store/queries/channel-results'
import { findChannel } from '@sluice/store/queries/channels'
import { insertLog } from '@sluice/store/queries/logs'
import { splitList } from '@sluice/store/snapshots/lists'
import {
  switchChannelOff,
  switchChannelOn,
  type SwitchDeps,
  switchKeyOnAgain,
  switchRefusedKeyOff,
} from '../../channel-switch/switch-channel.ts'
import { invalidField } from '../issue-text.ts'
import type { ManagementDeps, ProbeResult } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import { NOT_FOUND } from './channel-changes.ts'
import {
  type ChannelJobDeps,
  type ChannelJobRunner,
  createChannelJob,
  type JobStarter,
  type JobStep,
  SCHEDULE,
} from './channel-job.ts'
import { countOf, keyVerdictOf, verdictOf } from './channel-verdict.ts'
import { listTestTargets, targetOf, type TestedChannel, type TestTarget } from './test-targets.ts'

/** Longer than the console waits; the result is stored with the channel, so it is still of use then. */
const TIMEOUT_MS = 30_000
const MESSAGE_MAX = 500

export type ChannelTestDeps = ChannelJobDeps & SwitchDeps & Pick<ManagementDeps, 'options' | 'probeChannel'>

/** Tests of channels: one while the caller waits, or all in the background. */
export interface ChannelTests extends Pick<ChannelJobRunner, 'state' | 'stop' | 'begins'> {
  /** `model` empty takes the stored testing model, else the cheapest. */
  readonly testOne: (caller: Caller, id: number, model: string) => Promise<ProbeResult | Refusal>
  /** Starts and answers at once; refused while such a test runs anywhere. */
  readonly startAll: (caller: Caller, scope: 'all' | 'disabled') => Promise<Refusal | undefined>
  /**
   * Starts a test by the schedule, if it is still due when the lease is held; of what was switched off it tests what had
   * `recoveryMs` to recover. Nothing happens when there is nothing to test, or a test runs.
   */
  readonly startDue: (
    scope: 'enabled' | 'recovery',
    isDue: () => Promise<boolean>,
    recoveryMs?: number,
  ) => Promise<void>
}

export function createChannelTests(deps: ChannelTestDeps): ChannelTests {
  const db = deps.database.kysely
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)
  const job = createChannelJob(deps, { job: 'channel-test', what: 'A test of all channels' })

  const probe = async ({ id, channel, key }: TestTarget, asked: string | null, signal: AbortSignal) => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const probed = await deps.probeChannel(id, asked ?? testingModel(channel), within, key?.fingerprint)
    return { ...probed, message: probed.message.slice(0, MESSAGE_MAX) }
  }

  /** Stores the result with the channel, and answers its counted tests that are known now. */
  const keep = async (id: number, result: ProbeResult): Promise<string> => {
    const recent = await recordChannelTest(db, id, {
      responseTime: result.ok ? Math.round(result.elapsedMs) : 0,
      testTime: nowSeconds(),
      counts: countOf(result, deps.options()),
    })
    return recent ?? ''
  }

  const log = async ({ id: userId, username }: JobStarter, { id, name }: TestTarget, result: ProbeResult) => {
    await insertLog(db, {
      type: 5,
      createdAt: nowSeconds(),
      userId,
      username,
      content: `${result.ok ? 'Test succeeded' : 'Test failed'}: ${result.message}`,
      model: result.model,
      channelId: id,
      channelName: name,
      elapsedMs: Math.round(result.elapsedMs),
    })
  }

  /** Switches a channel or its key off or on by a test, where the settings say so, and tells the operators. */
  const react = async (
    actor: JobStarter | undefined,
    target: TestTarget,
    result: ProbeResult,
    recent: string,
  ): Promise<JobStep['became']> => {
    const { channel, key } = target
    const verdict = verdictOf(channel.status, result, recent, deps.options())
    if (verdict === undefined) return undefined
    const cause = { by: 'its test', reason: verdict.reason, actor }
    if (verdict.status === 1) return (await switchChannelOn(deps, channel, cause)) ? 'enabled' : undefined
    const isKeyRefused = key !== undefined && result.cause === 'account'
    const isOff = isKeyRefused
      ? await switchRefusedKeyOff(deps, key.of, key.fingerprint, cause)
      : await switchChannelOff(deps, channel, cause)
    return isOff ? 'disabled' : undefined
  }

  const look = async (target: TestTarget, signal: AbortSignal, by: JobStarter): Promise<JobStep> => {
    const result = await probe(target, null, signal)
    const isScheduled = by.id === SCHEDULE.id
    // The schedule leaves no row for each: there would be thousands, and the run tells what failed.
    if (!isScheduled) await log(by, target, result)
    const actor = isScheduled ? undefined : by
    const reason = result.ok ? '' : result.message
    if (target.key?.isOff !== true) {
      const recent = await keep(target.id, result)
      return { ok: result.ok, reason, became: await react(actor, target, result, recent) }
    }
    const { of, fingerprint } = target.key
    const isWell =
      keyVerdictOf(result, deps.options()) === 'enable' &&
      (await switchKeyOnAgain(deps, of, fingerprint, { by: 'its test', reason: result.message, actor }))
    return { ok: result.ok, reason, became: isWell ? 'enabled' : undefined }
  }

  return {
    state: job.state,
    stop: job.stop,
    begins: job.begins,
    testOne: async (caller, id, model) => {
      const channel = await findChannel(db, id)
      if (channel === undefined) return NOT_FOUND
      if (model !== '' && !splitList(channel.models).includes(model)) {
        return invalidField('model', 'is not one of the models of this channel')
      }
      const target = (await targetOf(deps, channel)) ?? { id, name: channel.name, channel, key: undefined }
      const result = await probe(target, model === '' ? null : model, new AbortController().signal)
      await keep(id, result)
      await log(caller, target, result)
      if (result.ok) deps.forget(id)
      return result
    },
    startAll: ({ id, username }, scope) => {
      const startedBy = { id, username }
      return job.start({
        scope,
        startedBy,
        targets: () => listTestTargets(deps, scope),
        each: (target, signal) => look(target, signal, startedBy),
        ended: ({ done, failed }) => deps.notify({ kind: 'channels_tested', tested: done, failed }),
      })
    },
    startDue: async (scope, isDue, recoveryMs) => {
      const targets = async () => {
        if (!(await isDue())) return undefined
        const found = await listTestTargets(deps, scope, recoveryMs)
        return found.length === 0 ? undefined : found
      }
      // Looked at without the lease first: most of the time nothing is to be done.
      if ((await targets()) === undefined) return
      await job.start({
        scope,
        startedBy: SCHEDULE,
        targets,
        each: (target, signal) => look(target, signal, SCHEDULE),
      })
    },
  }
}

/** Null asks for the cheapest: none is set, or the list has changed under it. */
function testingModel({ models, testingModel: model }: TestedChannel): string | null {
  return model !== null && splitList(models).includes(model) ? model : null
}
