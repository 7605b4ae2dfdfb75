import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { type Database, openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callUntilGone, type CompleteAnswer, MODELS } from './clients.ts'

/**
 * The process is killed without warning while clients stream, again and again on the same database. After each restart
 * the books must balance and every answer that a client received whole must be charged exactly once, exactly.
 * `SLUICE_KILL_ROUNDS=50 npx vitest run tests/kill` is the long run.
 */
const ROUNDS = Number(process.env['SLUICE_KILL_ROUNDS'] ?? 3)
const CLIENTS = 48
/** Quota per prompt and per answer token. */
const PRICE = { ratio: 1, completion_ratio: 2 }

let dataDir: string
let emulator: Emulator
let gateway: GatewayProcess
let keys: string[]

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-kill-'))
  emulator = await startEmulator()
  gateway = await startGateway({ dataDir })
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  const prices = Object.fromEntries(MODELS.map((model) => [model, PRICE]))
  const channel = { name: 'emulator', type: 50, key: 'sk-emu', base_url: emulator.url, models: MODELS.join(',') }
  await root.call(createChannel, { body: { ...channel, model_configs: JSON.stringify(prices) } })
  const unlimited = await root.call(createToken, { body: { name: 'unlimited', unlimited_quota: true } })
  const limited = await root.call(createToken, { body: { name: 'limited', remain_quota: 1_000_000_000 } })
  keys = [unlimited.key, limited.key]
})

afterAll(async () => {
  await gateway.stop()
  await emulator.close()
  await rm(dataDir, { recursive: true, force: true })
})

const rounds = Array.from({ length: ROUNDS }, (_, at) => at + 1)

describe('killed under load', () => {
  it.each(rounds)('round %i leaves books that balance', async (round) => {
    // how far into the load is another number each round, the same in every run
    const enough = Promise.withResolvers<void>()
    const clients = callUntilGone(gateway.url, keys, CLIENTS, (count) => {
      if (count > 60 + ((round * 61) % 250)) enough.resolve()
    })
    await Promise.race([enough.promise, clients])
    await gateway.kill()
    const answers = await clients

    gateway = await startGateway({ dataDir })
    const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
    try {
      await expect.poll(() => openHolds(database), { timeout: 15_000, interval: 100 }).toBe(0)
      expect(await wrongCharges(database, answers)).toEqual([])
    } finally {
      await database.close()
    }
    const verified = await runSluice(['ledger', 'verify'], { dataDir })
    expect(verified, verified.output).toMatchObject({ code: 0 })
  })
})

async function openHolds({ kysely }: Database): Promise<number> {
  return (await kysely.selectFrom('hold').select('request_id').execute()).length
}

/** Complete answers without exactly one charge, or with another amount than their own usage costs. */
async function wrongCharges({ kysely }: Database, answers: readonly CompleteAnswer[]): Promise<object[]> {
  const wrong: object[] = []
  for (const answer of answers) {
    const charges = await kysely
      .selectFrom('transfer')
      .select(['kind', 'amount'])
      .where('request_id', '=', answer.requestId)
      .execute()
    const logged = await kysely.selectFrom('log').select('amount').where('request_id', '=', answer.requestId).execute()
    const [charge] = charges
    const once = charges.length === 1 && charge?.kind === 'consume' && logged.length === 1
    if (!once || (answer.usage !== undefined && charge.amount !== costMq(answer.usage)))
      wrong.push({ answer, charges, logged })
  }
  return wrong
}

function costMq(usage: NonNullable<CompleteAnswer['usage']>): bigint {
  const quota = usage.prompt_tokens * PRICE.ratio + usage.completion_tokens * PRICE.ratio * PRICE.completion_ratio
  return BigInt(quota) * 1_000n
}
