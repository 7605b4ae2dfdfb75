import type { ImportTotals } from '@sluice/contract/import'
import { mqFromQuota } from '@sluice/ledger/units'
import { TOKEN_STATUS, USER_STATUS } from '@sluice/store/statuses'
import { changed, gatewayChanges, generatedGateways } from '@sluice/testkit/import/gateway-changes'
import {
  balanceOf,
  expectedTotals,
  type GeneratedGateway,
  isHostile,
  takenTokens,
  takenUsers,
  writeGateway,
} from '@sluice/testkit/import/generated-gateway'
import { type BringOptions, type ImportBench, openImportBench } from '@sluice/testkit/import/import-bench'
import { testSettlement } from '@sluice/testkit/ledger-operations'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

/** `SLUICE_LAW_RUNS` sets how many gateways are imported. */
const RUNS = Number(process.env['SLUICE_LAW_RUNS'] ?? 12)
const PATIENT = { timeout: 60_000 + RUNS * 10_000 }

const choices = fc.record({
  debts: fc.constantFrom<'refuse' | 'keep' | 'forgive'>('refuse', 'keep', 'keep', 'forgive'),
  leaveOut: fc.boolean(),
  logs: fc.constantFrom<'none' | 'sums' | 'rows'>('none', 'sums', 'rows'),
})

async function withBench(use: (bench: ImportBench) => Promise<void>): Promise<void> {
  const bench = await openImportBench('sqlite')
  try {
    await use(bench)
    expect(await bench.broken()).toEqual([])
  } finally {
    await bench.close()
  }
}

async function bring(bench: ImportBench, gateway: GeneratedGateway, options: BringOptions) {
  const source = await writeGateway(gateway)
  try {
    return await bench.bring(source.source, options)
  } finally {
    await source.remove()
  }
}

/** The gateway as it counts here: debts may be forgiven. */
function settled(gateway: GeneratedGateway, { debts }: BringOptions): GeneratedGateway {
  if (debts !== 'forgive') return gateway
  return {
    ...gateway,
    users: gateway.users.map((user) => {
      const reward = gateway.family === 'new-api' ? user.reward : 0
      return { ...user, quota: Math.max(user.quota, -reward) }
    }),
  }
}

function hasDebts(gateway: GeneratedGateway): boolean {
  return takenUsers(gateway).some((user) => balanceOf(gateway, user) < 0)
}

/** Both sides of the report, and the tables, equal the sums of the generated rows. */
async function expectArrived(
  bench: ImportBench,
  gateway: GeneratedGateway,
  { report }: { readonly report: { readonly before: ImportTotals; readonly after: ImportTotals | null } | undefined },
  spent: ReadonlyMap<string, bigint> = new Map(),
): Promise<void> {
  const expected = expectedTotals(gateway)
  expect(report?.before).toMatchObject(expected)
  expect(report?.after).toMatchObject(expected)
  const db = bench.database.kysely
  const users = await db
    .selectFrom('user')
    .leftJoin('account', (join) => join.on('account.kind', '=', 'user').onRef('account.owner_id', '=', 'user.id'))
    .select(['username', 'posted', 'user.status', 'user.id'])
    .execute()
  const here = new Map(users.map((user) => [user.username, user]))
  for (const user of takenUsers(gateway)) {
    const found = here.get(user.name)
    expect([user.name, found?.status, (found?.posted ?? 0n) + (spent.get(`user ${found?.id}`) ?? 0n)]).toEqual([
      user.name,
      USER_STATUS.enabled,
      mqFromQuota(balanceOf(gateway, user)),
    ])
  }
  const enabled = users.filter(({ status }) => status === USER_STATUS.enabled)
  expect(enabled.map(({ username }) => username).toSorted()).toEqual(
    takenUsers(gateway)
      .map(({ name }) => name)
      .toSorted(),
  )
  const tokens = await db
    .selectFrom('token')
    .leftJoin('account', (join) => join.on('account.kind', '=', 'token').onRef('account.owner_id', '=', 'token.id'))
    .innerJoin('user', 'user.id', 'token.user_id')
    .select(['token.id', 'key_sealed', 'posted', 'account.unlimited as binds', 'token.unlimited', 'username'])
    .where('token.status', '=', TOKEN_STATUS.enabled)
    .execute()
  const owners = new Map(gateway.users.map(({ id, name }) => [id, name]))
  const found = tokens.map((token) => {
    const opened = bench.vault.open('token_key', token.key_sealed)
    const left = (token.posted ?? 0n) + (spent.get(`token ${token.id}`) ?? 0n)
    const account = token.binds ?? token.unlimited
    return [opened.ok ? opened.text : '', token.username, token.unlimited, account, left]
  })
  const wanted = takenTokens(gateway).map(({ key, userId, isUnlimited, remain }) => {
    const unlimited = isUnlimited ? 1 : 0
    return [key, owners.get(userId), unlimited, unlimited, isUnlimited ? 0n : mqFromQuota(remain)]
  })
  expect(found.toSorted(byFirst)).toEqual(wanted.toSorted(byFirst))
}

const byFirst = (a: readonly unknown[], b: readonly unknown[]): number => (String(a[0]) < String(b[0]) ? -1 : 1)

describe('an import of any gateway', () => {
  it('brings equal sums once, or is refused and writes nothing', PATIENT, async () => {
    await fc.assert(
      fc.asyncProperty(generatedGateways(2), choices, async (gateway, options) => {
        await withBench(async (bench) => {
          const before = await bench.state()
          const isRefused =
            (isHostile(gateway) && !options.leaveOut) || (options.debts === 'refuse' && hasDebts(gateway))
          const checked = await bring(bench, gateway, { ...options, mode: 'check' })
          expect(await bench.state()).toEqual(before)
          const ended = await bring(bench, gateway, options)
          expect([checked.outcome, ended.outcome, ended.reason]).toEqual(
            isRefused ? ['refused', 'refused', expect.stringMatching(/\w/)] : ['done', 'done', ''],
          )
          if (isRefused) {
            expect(await bench.state()).toEqual(before)
            return
          }
          await expectArrived(bench, settled(gateway, options), ended)
          const after = await bench.state()
          const again = await bring(bench, gateway, options)
          expect(again.outcome).toBe('done')
          expect(await bench.state()).toEqual(after)
        })
      }),
      { numRuns: RUNS },
    )
  })

  it('follows what changes there, and leaves what is spent here', PATIENT, async () => {
    await fc.assert(
      fc.asyncProperty(generatedGateways(1), gatewayChanges, gatewayChanges, async (gateway, ...passes) => {
        await withBench(async (bench) => {
          const options = { debts: 'keep', leaveOut: true } as const
          const first = await bring(bench, gateway, options)
          expect([first.outcome, first.reason]).toEqual(['done', ''])
          const spent = await spend(bench)
          let current = gateway
          for (const changes of passes) {
            current = changed(current, changes)
            const ended = await bring(bench, current, options)
            expect([ended.outcome, ended.reason]).toEqual(['done', ''])
            await expectArrived(bench, current, ended, spent)
          }
        })
      }),
      { numRuns: RUNS },
    )
  })
})

describe('an import that dies at any moment', () => {
  const blows = fc.array(fc.record({ at: fc.integer({ min: 1, max: 200 }), effective: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  })

  it('is finished by the next one, as if nothing had happened', PATIENT, async () => {
    await fc.assert(
      fc.asyncProperty(generatedGateways(1), gatewayChanges, blows, async (gateway, changes, falls) => {
        const options = { debts: 'keep', leaveOut: true, logs: 'rows' } as const
        const sources = [await writeGateway(gateway), await writeGateway(changed(gateway, changes))]
        try {
          const states: unknown[] = []
          for (const some of [[], falls]) {
            await withBench(async (bench) => {
              for (const { source } of sources) {
                for (const blow of some) {
                  await bench.bringUntil(blow, source, options)
                  expect(await bench.broken()).toEqual([])
                }
                expect((await bench.bring(source, options)).outcome).toBe('done')
              }
              states.push(await bench.state())
            })
          }
          expect(states[1]).toEqual(states[0])
        } finally {
          for (const source of sources) await source.remove()
        }
      }),
      { numRuns: Math.ceil(RUNS / 2) },
    )
  })
})

/** Charges each token that can pay once; returns the charged amounts by user, in mq. */
async function spend({ database, ledger }: ImportBench): Promise<ReadonlyMap<string, bigint>> {
  const spent = new Map<string, bigint>()
  const tokens = await database.kysely.selectFrom('token').selectAll().orderBy('id').execute()
  for (const { id, user_id: userId, unlimited } of tokens) {
    const account = await ledger.openAccount('user', userId, false)
    const limitAccount = await ledger.openAccount('token', id, unlimited === 1)
    if (account === 'unavailable' || limitAccount === 'unavailable') throw new Error('the ledger does not answer')
    const requestId = `0193000000007000800000000000${String(id).padStart(4, '0')}`
    const payer = { userId, tokenId: id, account, limitAccount }
    const answer = await ledger.hold({ requestId, account, limitAccount, amount: mqFromQuota(10), durable: true })
    if (answer !== 'held') continue
    const settlement = testSettlement(payer, requestId, 1)
    expect(await ledger.settle(settlement)).toBe('charged')
    for (const key of [`user ${userId}`, `token ${id}`]) spent.set(key, (spent.get(key) ?? 0n) + settlement.amount)
  }
  return spent
}
