import type { Token } from '@sluice/contract/token'
import { findTokenById } from '@sluice/store/snapshots/tokens'
import { type ManagementBench, openManagementBench } from '@sluice/testkit/management-bench'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { authenticate } from './authenticate.ts'
import { createTokenDirectory, type KnownToken } from './token-directory.ts'

let bench: ManagementBench
beforeAll(async () => {
  bench = await openManagementBench()
})
afterAll(() => bench.close())

test('accounts that a key lacks are opened by its first request only', async () => {
  const ann = await bench.addCaller('ann', 1)
  const body = { name: 'imported', unlimited_quota: true }
  await bench.ask<Token>('POST', '/api/token/', { as: ann, body })
  const { kysely } = bench.database
  const { id: _, ...row } = await kysely.selectFrom('token').selectAll().executeTakeFirstOrThrow()
  const copy = { ...row, key_hash: 'b'.repeat(64) }
  const { id } = await kysely.insertInto('token').values(copy).returning('id').executeTakeFirstOrThrow()
  const opened: string[] = []
  const tokens = createTokenDirectory({
    find: () => findTokenById(kysely, id),
    openOwnKey: () => undefined,
    onError: (error) => expect.unreachable(String(error)),
  })
  const deps = {
    tokens,
    ledger: {
      knownBalance: () => undefined,
      openAccount: (...account: Parameters<typeof bench.ledger.openAccount>) => {
        opened.push(account[0])
        return bench.ledger.openAccount(...account)
      },
    },
    options: bench.deps.options,
    now: () => bench.clock.now,
  }
  const caller = { headers: { authorization: `Bearer sk-${'a'.repeat(48)}` }, url: '/v1/models', client: '127.0.0.1' }
  const first = await authenticate(deps, caller)
  expect(first).toMatchObject({ tokenId: id })
  const cached = () => tokens.cached(tokens.digest('a'.repeat(48))) as KnownToken
  await expect.poll(() => cached().snapshot.tokenAccount?.id).toBeDefined()
  expect(await authenticate(deps, caller)).toEqual(first)
  expect(opened.filter((kind) => kind === 'token')).toEqual(['token'])
})
