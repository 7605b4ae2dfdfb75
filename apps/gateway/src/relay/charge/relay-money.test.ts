// @module-tag slow
import { createToken, getToken, listTokens, updateToken } from '@sluice/contract/routes/tokens'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let emulator: Emulator
let world: GatewayWorld
let people = 0

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.addChannel(emulator.url, ['emu-pace-20-5', 'emu-n-tokens-6000', 'emu-pace-3000-1'])
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const newUser = (quota: number) => world.addUser(`person${(people += 1)}`, quota)

const codeOf = async (reply: Response) => ((await reply.json()) as { error: { code: string } }).error.code

/** One call costs at most 16 + 12 prompt tokens at 1 and 20 answer tokens at 2. */
const CALL = { model: 'emu-pace-20-5', max_tokens: 20, messages: [{ role: 'user', content: 'x' }] }
const HELD_PER_CALL = 16 + Math.ceil('[{"role":"user","content":"x"}]'.length / 2) + 40

test(
  '200 parallel calls on a token with quota for ten: no more is spent than there is, the others are refused',
  { tags: 'S23' },
  async () => {
    const user = await newUser(1_000_000)
    const key = await world.addToken(user, { unlimited_quota: false, remain_quota: HELD_PER_CALL * 10 })
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) => world.chat(key, { ...CALL, stream: i % 2 === 0 })),
    )
    const codes = await Promise.all(replies.map(async (reply) => (reply.ok ? reply.text() : codeOf(reply))))
    const passed = replies.filter((reply) => reply.ok).length
    expect(passed).toBeGreaterThanOrEqual(10)
    const refused = codes.filter((_, i) => !replies[i]?.ok)
    expect(new Set(refused)).toEqual(new Set(['pre_consume_token_quota_failed']))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 403]))
    const [token] = await user.call(listTokens)
    expect(token?.remain_quota).toBeGreaterThanOrEqual(0)
    expect((token?.remain_quota ?? 0) + (token?.used_quota ?? 0)).toBe(HELD_PER_CALL * 10)
  },
)

test('the same on the user’s own balance', async () => {
  const user = await newUser(HELD_PER_CALL * 10)
  const key = await world.addToken(user)
  const replies = await Promise.all(Array.from({ length: 200 }, () => world.chat(key, CALL)))
  const codes = await Promise.all(replies.map(async (reply) => (reply.ok ? reply.text() : codeOf(reply))))
  const refused = codes.filter((_, i) => !replies[i]?.ok)
  expect(refused.length).toBeGreaterThan(100)
  expect(new Set(refused)).toEqual(new Set(['insufficient_user_quota']))
})

test(
  '200 parallel calls on a monthly budget for ten: no more is spent than it allows, the others are told when it resets',
  { tags: 'S23' },
  async () => {
    const user = await newUser(1_000_000)
    const budget = HELD_PER_CALL * 10
    const key = await world.addToken(user, { budgets: [{ period: 'month', quota: budget }] })
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) => world.chat(key, { ...CALL, stream: i % 2 === 0 })),
    )
    const errors = await Promise.all(
      replies.map(async (reply) =>
        reply.ok ? void (await reply.text()) : ((await reply.json()) as { error: object }).error,
      ),
    )
    const refused = errors.filter((error) => error !== undefined)
    expect(replies.length - refused.length).toBeGreaterThanOrEqual(10)
    expect(refused.length).toBeGreaterThan(100)
    for (const error of refused) {
      expect(error).toMatchObject({
        type: 'insufficient_quota',
        code: 'token_budget_exhausted',
        message: expect.stringMatching(
          /^The token’s monthly budget is too low for this request. It resets at \d{4}-\d\d-01T00:00:00Z\./,
        ),
      })
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 403]))
    const [token] = await user.call(listTokens)
    expect(token?.budgets[0]?.used_quota).toBeLessThanOrEqual(budget)
    expect(token?.budgets[0]?.used_quota).toBe(token?.used_quota)
  },
)

test('a user’s budget applies to all of their tokens, unlimited ones too', async () => {
  const budgets = [{ period: 'month', quota: HELD_PER_CALL }] as const
  const user = await world.addUser(`person${(people += 1)}`, 1_000_000, { budgets: [...budgets] })
  const keys = [await world.addToken(user), await world.addToken(user)]
  const replies = await Promise.all(keys.map((key) => world.chat(key, { ...CALL, max_tokens: 15 })))
  const codes = await Promise.all(
    replies.map(async (reply) => (reply.ok ? reply.text().then(() => '') : codeOf(reply))),
  )
  expect(codes.toSorted()).toEqual(['', 'user_budget_exhausted'])
})

test('a stream that outgrows a budget is ended with an error that names it, and what was delivered is charged', async () => {
  const user = await newUser(1_000_000)
  const key = await world.addToken(user, { budgets: [{ period: 'week', quota: 1_200 }] })
  const text = await (await world.chat(key, { model: 'emu-pace-3000-1', stream: true })).text()
  expect(text).toContain('"code":"token_budget_exhausted"')
  expect(text).toContain('weekly budget')
  const [charge] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  expect(charge).toMatchObject({ ended: 'quota_exhausted', estimated: 1 })
  const next = await world.chat(key, { ...CALL, max_tokens: 1_000 })
  expect([next.status, await codeOf(next)]).toEqual([403, 'token_budget_exhausted'])
})

test('a token that is used up is refused as exhausted, and accepted again after a top-up', async () => {
  const user = await newUser(1_000_000)
  const body = { name: 'small', unlimited_quota: false, remain_quota: HELD_PER_CALL }
  const token = await user.call(createToken, { body })
  expect((await world.chat(token.key, CALL)).status).toBe(200)
  const left = (await user.call(getToken, { path: { id: token.id } })).remain_quota
  await user.call(updateToken, { body: { ...body, id: token.id, remain_quota: 0 } })
  const reply = await world.chat(token.key, CALL)
  expect([reply.status, await codeOf(reply)]).toEqual([401, 'token_exhausted'])
  await user.call(updateToken, { body: { ...body, id: token.id, remain_quota: HELD_PER_CALL } })
  expect((await world.chat(token.key, CALL)).status).toBe(200)
  expect(left).toBeLessThan(HELD_PER_CALL)
})

test('an answer without a cap can grow: its hold is extended while it streams', async () => {
  const user = await newUser(100_000)
  const key = await world.addToken(user)
  const text = await (await world.chat(key, { model: 'emu-pace-3000-1', stream: true })).text()
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const [charge] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  expect(charge).toMatchObject({ completion_tokens: 3000, ended: 'complete' })
})

test('a stream that outgrows the account is ended with an error, and what was delivered is charged', async () => {
  const user = await newUser(1_200)
  const key = await world.addToken(user)
  const text = await (await world.chat(key, { model: 'emu-pace-3000-1', stream: true })).text()
  expect(text).toContain('"code":"stream_quota_exhausted"')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  const [charge] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  expect(charge).toMatchObject({ ended: 'quota_exhausted', estimated: 1 })
  expect(Number(charge?.['completion_tokens'])).toBeLessThan(3_000)
  const next = await world.chat(key, { ...CALL, max_tokens: 1_000 })
  expect([next.status, await codeOf(next)]).toEqual([403, 'insufficient_user_quota'])
})

test('what a plain answer without a cap costs beyond its hold is charged in full', async () => {
  const user = await newUser(20_000)
  const key = await world.addToken(user)
  await (await world.chat(key, { model: 'emu-n-tokens-6000' })).text()
  const [charge] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  expect(charge).toMatchObject({ completion_tokens: 6000, ended: 'complete' })
  expect(Number(charge?.['amount'])).toBeGreaterThan(12_000_000)
})

test('parallel requests of different users are charged to their own accounts', { tags: 'S26' }, async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => newUser(1_000_000)))
  const keys = await Promise.all(users.map((user) => world.addToken(user)))
  await Promise.all(keys.flatMap((key) => Array.from({ length: 5 }, () => world.chat(key, CALL).then((r) => r.text()))))
  const spent = await world.rows(
    `select account.owner_id, account.requests, account.spent from account
     join user on user.id = account.owner_id and account.kind = 'user' order by account.owner_id desc limit 8`,
  )
  for (const row of spent) expect(row).toMatchObject({ requests: 5, spent: spent[0]?.['spent'] })
})
