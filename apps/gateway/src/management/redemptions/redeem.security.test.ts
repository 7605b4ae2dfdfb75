// @module-tag slow
import { brokenInvariants, readRowsOf } from '@sluice/testkit/ledger-engine'
import { openManagementBench, type TestCaller } from '@sluice/testkit/management-bench'
import { expect, it } from 'vitest'

/** Opens the API, makes codes, and finally checks every invariant of the ledger. */
async function world() {
  const bench = await openManagementBench('sqlite')
  const admin = await bench.addCaller('admin', 10)
  return {
    bench,
    admin,
    codes: async (count: number, quota: number) => {
      const body = { name: 'code', quota, count }
      return (await bench.ask<string[]>('POST', '/api/redemption/', { as: admin, body })).data ?? []
    },
    redeem: (as: TestCaller, key: string) => bench.ask<number>('POST', '/api/user/topup', { as, body: { key } }),
    users: (count: number) => Promise.all(Array.from({ length: count }, (_, i) => bench.addCaller(`user${i}`, 1))),
    end: async () => {
      expect(await brokenInvariants(readRowsOf(bench.database), bench.clock.now)).toEqual([])
      expect(bench.reported).toEqual([])
      await bench.close()
    },
  }
}

it('a code that 200 users redeem at the same moment pays one of them', { tags: 'S23' }, async () => {
  const { bench, codes, redeem, users, end } = await world()
  const [code = ''] = await codes(1, 700)
  const replies = await Promise.all((await users(200)).map((user) => redeem(user, code)))
  expect(replies.filter(({ success }) => success)).toHaveLength(1)
  const paid = await bench.database.kysely
    .selectFrom('account')
    .select('posted')
    .where('kind', '=', 'user')
    .where('posted', '<>', 0n)
    .execute()
  expect(paid).toEqual([{ posted: 700_000n }])
  await end()
})

it('a user who sends one code 200 times at once is paid once', { tags: 'S23' }, async () => {
  const { bench, codes, redeem, users, end } = await world()
  const [user] = await users(1)
  if (user === undefined) throw new Error('no user')
  const [code = '', ...more] = await codes(5, 10)
  const replies = await Promise.all(Array.from({ length: 200 }, () => redeem(user, code)))
  expect(replies.filter(({ success }) => success)).toHaveLength(1)
  bench.clock.now += 600_000
  for (const each of more) expect(await redeem(user, each)).toMatchObject({ success: true, data: 10 })
  expect((await bench.ask<{ quota: number }>('GET', '/api/user/self', { as: user })).data?.quota).toBe(50)
  await end()
})

it(
  'guessing ends after five failures in ten minutes, for right codes too, and only for the user who guessed',
  { tags: 'S28' },
  async () => {
    const { bench, codes, redeem, users, end } = await world()
    const [guesser, other] = await users(2)
    if (guesser === undefined || other === undefined) throw new Error('no users')
    const [code = ''] = await codes(1, 10)
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, i) => redeem(guesser, `guess-${i}`)))
    expect(guesses.filter(({ status }) => status === 200)).toHaveLength(5)
    const refused = await redeem(guesser, code)
    expect(refused).toMatchObject({ status: 429, success: false })
    expect(refused.headers.get('retry-after')).toBe('120')
    expect(await redeem(other, code)).toMatchObject({ success: true })
    bench.clock.now += 600_000
    expect((await redeem(guesser, 'guess')).status).toBe(200)
    await end()
  },
)

it('codes that pay do not count as guesses', { tags: 'S28' }, async () => {
  const { codes, redeem, users, end } = await world()
  const [user] = await users(1)
  if (user === undefined) throw new Error('no user')
  for (const code of await codes(12, 1)) expect(await redeem(user, code)).toMatchObject({ success: true })
  await end()
})

it('neither a code nor its look-up value is stored where it can be read', { tags: 'S20' }, async () => {
  const { bench, codes, end } = await world()
  const [code = ''] = await codes(1, 10)
  const stored = JSON.stringify(
    await bench.database.kysely.selectFrom('redemption').select(['name', 'key_hash', 'key_sealed']).execute(),
  )
  expect(stored).not.toContain(code)
  await end()
})

it('ordinary users neither see nor make codes', { tags: 'S11' }, async () => {
  const { bench, users, end } = await world()
  const [as] = await users(1)
  if (as === undefined) throw new Error('no user')
  const body = { name: 'mine', quota: 1, count: 1 }
  for (const reply of [
    await bench.ask('GET', '/api/redemption/', { as }),
    await bench.ask('GET', '/api/redemption/search?keyword=a', { as }),
    await bench.ask('GET', '/api/redemption/1', { as }),
    await bench.ask('POST', '/api/redemption/', { as, body }),
    await bench.ask('PUT', '/api/redemption/?status_only=1', { as, body: { id: 1, status: 1 } }),
    await bench.ask('DELETE', '/api/redemption/1', { as }),
  ])
    expect(reply).toMatchObject({ status: 403, success: false })
  expect(await bench.ask('POST', '/api/user/topup', { body: { key: 'x' } })).toMatchObject({ status: 401 })
  await end()
})
