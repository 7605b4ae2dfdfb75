import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import type { InvariantResult } from '@sluice/ledger/proof/verify'
import type { Database } from '@sluice/store/database'
import { ROOT_PASSWORD } from '@sluice/testkit/gateway-process'
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { signIn } from '@sluice/testkit/management-client'
import { expect } from 'vitest'
import { type ChargesFound, findCharges, PRICE } from './charges.ts'
import { type CompleteAnswer, MODELS } from './load.ts'

/** Adds the emulator as a channel; returns the keys of an unlimited and a limited token. `calls` must fit the version. */
export async function prepareGateway(
  url: string,
  emulatorUrl: string,
  calls = { createChannel, createToken },
): Promise<readonly string[]> {
  const root = await signIn(url, 'root', ROOT_PASSWORD)
  const prices = Object.fromEntries(MODELS.map((model) => [model, PRICE]))
  const channel = { name: 'emulator', type: 50, key: 'sk-emu', base_url: emulatorUrl, models: MODELS.join(',') }
  await root.call(calls.createChannel, { body: { ...channel, model_configs: JSON.stringify(prices) } })
  const unlimited = await root.call(calls.createToken, { body: { name: 'unlimited', unlimited_quota: true } })
  const limited = await root.call(calls.createToken, { body: { name: 'limited', remain_quota: 1_000_000_000 } })
  return [unlimited.key, limited.key]
}

export interface RoundFindings {
  readonly charges: ChargesFound
  readonly invariants: readonly InvariantResult[]
}

/** Waits until recovery and late settlements have closed every hold, then checks each whole answer and the ledger. */
export async function inspect(
  database: Database,
  answers: readonly CompleteAnswer[],
  patienceMs: number,
): Promise<RoundFindings> {
  const openHolds = async (): Promise<number> =>
    (await database.kysely.selectFrom('hold').select('request_id').execute()).length
  await expect.poll(openHolds, { timeout: patienceMs, interval: 100 }).toBe(0)
  return {
    charges: await findCharges(database, answers),
    invariants: await brokenInvariants(readRowsOf(database)),
  }
}

export function expectNoFaults({ charges, invariants }: RoundFindings): void {
  expect({ charges: charges.wrong, invariants }).toEqual({ charges: [], invariants: [] })
}
