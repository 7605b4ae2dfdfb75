import { parseAttempts, type TraceAttempt } from '@sluice/contract/log'
import { updateOption } from '@sluice/contract/routes/options'
import { listChannelHealth } from '@sluice/contract/routes/routing'
import type { Row } from '@sluice/ledger/proof/verify'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { ask, CHAT, type ClientDialect, type Got } from './client.ts'

export interface Kept {
  /** Empty when nothing was charged. */
  readonly charged: '' | { readonly quota: number; readonly rule: string; readonly isEstimated: boolean }
  readonly attempts: readonly TraceAttempt[]
  /** Cooldowns caused by its attempts, in seconds from the attempt's end. */
  readonly rests: readonly { readonly channel: number; readonly cause: string; readonly seconds: number }[]
}

/** A gateway with channels that fail as their places at the emulator do, next to a good one. */
export interface MatrixWorld {
  readonly world: GatewayWorld
  readonly emulator: Emulator
  readonly key: string
  /** A channel at an emulator place where every model behaves as `as`; preferred over the good one. */
  addFailing(
    place: string,
    as: string | { readonly address: string },
    models: readonly string[],
    type?: number,
  ): Promise<number>
  /** A channel that answers quickly and completely, with all these models. */
  addGood(models: readonly string[]): Promise<number>
  /** Ordinary traffic, because retries are limited to a share of it. */
  beBusy(calls: number): Promise<void>
  ask(model: string, stream: boolean, dialect?: ClientDialect): Promise<Got>
  kept(requestId: string): Promise<Kept>
  /** Cause of the cooldown of the channel's lane with this model, as the console receives it; empty for none. */
  restingFor(channel: number, model: string): Promise<string>
  close(): Promise<void>
}

const GOOD = 'good'
/** 1 quota per prompt token, 2 per answer token. */
const PRICE = { ratio: 1, completion_ratio: 2 }

export async function openMatrixWorld(): Promise<MatrixWorld> {
  const emulator = await startEmulator()
  const world = await openGatewayWorld({
    SLUICE_LOG_LEVEL: 'warn',
    SLUICE_CONNECT_TIMEOUT: '1',
    SLUICE_FIRST_BYTE_TIMEOUT: '0.8',
    SLUICE_IDLE_TIMEOUT: '0.8',
  })
  await world.root.call(updateOption, { body: { key: 'RetryTimes', value: 1 } })
  const key = await world.addToken(world.root)
  const add = (base: string, models: readonly string[], priority: number, type: number): Promise<number> =>
    world.addChannel(base, models, {
      name: base.replace(/.*\//, ''),
      type,
      priority,
      model_configs: JSON.stringify(Object.fromEntries(models.map((model) => [model, PRICE]))),
    })
  const steady = 'steady'
  emulator.faults.switchOn({ at: GOOD, as: 'emu-fast' })
  await add(emulator.at(GOOD), [steady], 0, 50)
  return {
    world,
    emulator,
    key,
    addFailing: (place, as, models, type = 50) => {
      if (typeof as === 'string') emulator.faults.switchOn({ at: place, as })
      return add(typeof as === 'string' ? emulator.at(place) : as.address, models, 10, type)
    },
    addGood: (models) => add(emulator.at(GOOD), models, 0, 50),
    beBusy: async (calls) => {
      for (let call = 0; call < calls; call++) await ask(world.url, key, CHAT, steady, false)
    },
    ask: (model, stream, dialect = CHAT) => ask(world.url, key, dialect, model, stream),
    kept: (requestId) => keptOf(world, requestId),
    restingFor: async (channel, model) => {
      const channels = await world.root.call(listChannelHealth, { query: { channel: String(channel) } })
      const lane = channels[0]?.lanes.find((each) => each.model === model)
      return lane?.standing === 'resting' ? (lane.cause ?? '') : ''
    },
    close: async () => {
      await world.close()
      await emulator.close()
    },
  }
}

async function keptOf(world: GatewayWorld, requestId: string): Promise<Kept> {
  const trace = await traceOf(world, requestId)
  const [log] = await world.rows(
    `select amount, ended, estimated from log where request_id = '${requestId}' and type = 2`,
  )
  const attempts = parseAttempts(String(trace['attempts']))
  const received = Number(trace['received_ms'])
  const amount = Number(log?.['amount'] ?? 0)
  return {
    charged:
      amount === 0
        ? ''
        : { quota: amount / 1_000, rule: String(log?.['ended']), isEstimated: Number(log?.['estimated']) === 1 },
    attempts,
    rests: attempts.flatMap(({ channel, ended, rest }) =>
      rest === undefined ? [] : [{ channel, cause: rest.cause, seconds: (rest.until - received - ended) / 1_000 }],
    ),
  }
}

/** The trace of a failed request may be written a moment after its client gets the error. */
async function traceOf(world: GatewayWorld, requestId: string): Promise<Row> {
  const deadline = Date.now() + 5_000
  for (;;) {
    const [trace] = await world.rows(`select attempts, received_ms from trace where request_id = '${requestId}'`)
    if (trace !== undefined) return trace
    if (Date.now() > deadline) throw new Error(`request ${requestId} has no trace`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
