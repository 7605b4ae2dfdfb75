import { CHANNEL_STATUS } from '@sluice/contract/channel'
import type { Refusal } from '@sluice/contract/errors'
import { splitList } from '@sluice/contract/fields/comma-list'
import { LOG_TYPE } from '@sluice/contract/log'
import { recordChannelTest } from '@sluice/store/queries/channels/channel-results'
import { findChannel } from '@sluice/store/queries/channels/channels'
import { insertLog } from '@sluice/store/queries/logs/logs'
import {
  switchChannelOff,
  switchChannelOn,
  type SwitchDeps,
  switchKeyOnAgain,
  switchRefusedKeyOff,
} from '../../../channel-switch/switch-channel.ts'
import { invalidField } from '../../issue-text.ts'
import type { SharedPorts } from '../../ports.ts'
import type { Caller } from '../../sessions/caller.ts'
import { NOT_FOUND } from '../channel-changes.ts'
import type { ChannelTestResult, TestChannel } from '../channel-ports.ts'
import {
  type ChannelJobDeps,
  type ChannelJobRunner,
  createChannelJob,
  type JobStarter,
  type JobStep,
  SCHEDULE,
} from './channel-job.ts'
import { countOf, keyOutcomeOf, testOutcomeOf } from './channel-verdict.ts'
import { listTestTargets, targetOf, type TestedChannel, type TestTarget } from './test-targets.ts'

/** Longer than the console waits; the result is stored with the channel and useful later. */
const TIMEOUT_MS = 30_000
const MESSAGE_MAX = 500

export type ChannelTestDeps = ChannelJobDeps &
  SwitchDeps &
  Pick<SharedPorts, 'options'> & {
    /** Sends one short request through a channel; charges nothing. */
    readonly testChannel: TestChannel
  }

export interface ChannelTests extends Pick<ChannelJobRunner, 'state' | 'stop' | 'begins'> {
  /** An empty `model` selects the stored testing model, otherwise the cheapest. */
  readonly testOne: (caller: Caller, id: number, model: string) => Promise<ChannelTestResult | Refusal>
  /** Starts a run and returns at once; refused while any replica is running a channel test. */
  readonly startAll: (caller: Caller, scope: 'all' | 'disabled') => Promise<Refusal | undefined>
  /**
   * Starts a scheduled test if it is still due under the lease. Of the channels and keys that were switched off, it tests those
   * that had `recoveryMs` to recover. Does nothing without targets, or while another test is running.
   */
  readonly startDue: (
    scope: 'enabled' | 'recovery',
    isDue: () => Promise<boolean>,
    recoveryMs?: number,
  ) => Promise<void>
}

export function createChannelTests(deps: ChannelTestDeps): ChannelTests {
  const db = deps.database.kysely
  const job = createChannelJob(deps, { job: 'channel-test', what: 'A test of all channels' })
  const tester = new ChannelTester(deps)
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
      return await tester.testNow(target, model === '' ? null : model, caller)
    },
    startAll: ({ id, username }, scope) => {
      const startedBy = { id, username }
      return job.start({
        scope,
        startedBy,
        targets: () => listTestTargets(deps, scope),
        each: (target, signal) => tester.testInRun(target, signal, startedBy),
        ended: ({ done, failed }) => deps.notify({ kind: 'channels_tested', tested: done, failed }),
      })
    },
    startDue: async (scope, isDue, recoveryMs) => {
      const targets = async () => {
        if (!(await isDue())) return undefined
        const found = await listTestTargets(deps, scope, recoveryMs)
        return found.length === 0 ? undefined : found
      }
      // Checked first without the lease: usually there is nothing to do.
      if ((await targets()) === undefined) return
      await job.start({
        scope,
        startedBy: SCHEDULE,
        targets,
        each: (target, signal) => tester.testInRun(target, signal, SCHEDULE),
      })
    },
  }
}

class ChannelTester {
  readonly #deps: ChannelTestDeps

  constructor(deps: ChannelTestDeps) {
    this.#deps = deps
  }

  /** The test that a caller waits for. It switches nothing; a success ends the channel's cooldowns. */
  async testNow(target: TestTarget, model: string | null, caller: JobStarter): Promise<ChannelTestResult> {
    const result = await this.#test(target, model, new AbortController().signal)
    await this.#keep(target.id, result)
    await this.#log(caller, target, result)
    if (result.ok) this.#deps.forget(target.id)
    return result
  }

  async testInRun(target: TestTarget, signal: AbortSignal, by: JobStarter): Promise<JobStep> {
    const result = await this.#test(target, null, signal)
    const isScheduled = by.id === SCHEDULE.id
    // Scheduled runs leave no row per channel: there would be thousands, and the run reports failures.
    if (!isScheduled) await this.#log(by, target, result)
    const actor = isScheduled ? undefined : by
    const reason = result.ok ? '' : result.message
    if (target.key?.isOff !== true) {
      const recent = await this.#keep(target.id, result)
      return { ok: result.ok, reason, became: await this.#react(actor, target, result, recent) }
    }
    const { of, fingerprint } = target.key
    const isWell =
      keyOutcomeOf(result, this.#deps.options()) === 'enable' &&
      (await switchKeyOnAgain(this.#deps, of, fingerprint, { by: 'its test', reason: result.message, actor }))
    return { ok: result.ok, reason, became: isWell ? 'enabled' : undefined }
  }

  async #test(
    { id, channel, key }: TestTarget,
    requested: string | null,
    signal: AbortSignal,
  ): Promise<ChannelTestResult> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const tested = await this.#deps.testChannel(id, requested ?? testingModel(channel), within, key?.fingerprint)
    return { ...tested, message: tested.message.slice(0, MESSAGE_MAX) }
  }

  /** Stores the result with the channel, and returns its recent counted tests. */
  async #keep(id: number, result: ChannelTestResult): Promise<string> {
    const recent = await recordChannelTest(this.#deps.database.kysely, id, {
      responseTime: result.ok ? Math.round(result.elapsedMs) : 0,
      testTime: this.#nowSeconds(),
      counts: countOf(result, this.#deps.options()),
    })
    return recent ?? ''
  }

  async #log({ id: userId, username }: JobStarter, { id, name }: TestTarget, result: ChannelTestResult): Promise<void> {
    await insertLog(this.#deps.database.kysely, {
      type: LOG_TYPE.test,
      createdAt: this.#nowSeconds(),
      userId,
      username,
      content: `${result.ok ? 'Test succeeded' : 'Test failed'}: ${result.message}`,
      model: result.model,
      channelId: id,
      channelName: name,
      elapsedMs: Math.round(result.elapsedMs),
    })
  }

  /** Switches a channel or its key off or on after a test, if the settings say so, and notifies the operators. */
  async #react(
    actor: JobStarter | undefined,
    { channel, key }: TestTarget,
    result: ChannelTestResult,
    recent: string,
  ): Promise<JobStep['became']> {
    const outcome = testOutcomeOf(channel.status, result, recent, this.#deps.options())
    if (outcome === undefined) return undefined
    const cause = { by: 'its test', reason: outcome.reason, actor }
    if (outcome.status === CHANNEL_STATUS.enabled)
      return (await switchChannelOn(this.#deps, channel, cause)) ? 'enabled' : undefined
    const isKeyRefused = key !== undefined && result.cause === 'account'
    const isOff = isKeyRefused
      ? await switchRefusedKeyOff(this.#deps, key.of, key.fingerprint, cause)
      : await switchChannelOff(this.#deps, channel, cause)
    return isOff ? 'disabled' : undefined
  }

  #nowSeconds(): number {
    return Math.floor(this.#deps.now() / 1_000)
  }
}

/** Null requests the cheapest model: no testing model is set, or the list no longer has it. */
function testingModel({ models, testingModel: model }: TestedChannel): string | null {
  return model !== null && splitList(models).includes(model) ? model : null
}
