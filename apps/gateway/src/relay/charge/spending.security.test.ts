import { createToken } from '@sluice/contract/routes/tokens'
import { updateUser } from '@sluice/contract/routes/users'
import { callBody } from '@sluice/testkit/call-bodies'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { OFFERED } from '../endpoints/endpoints.ts'

let emulator: Emulator
let world: GatewayWorld

const PEOPLE = 6
/** Each person has separate models, so that an answer shows whose it is. */
const modelsOf = (person: number) => ({
  plain: `emu-n-tokens-${20 + person}`,
  slow: `emu-pace-${40 + person}-4`,
})

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  const people = Array.from({ length: PEOPLE }, (_, person) => modelsOf(person))
  const models = people.flatMap(({ plain, slow }) => [plain, slow])
  await world.addChannel(emulator.url, ['emu-fast', 'emu-cut-mid', ...models])
  await world.addChannel(emulator.url, models, { name: 'second' })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

const codeOf = async (reply: Response) => ((await reply.json()) as { error: { code: string } }).error.code

/** Returns the code with which each paid path refuses the key. */
async function refusals(key: string): Promise<readonly (readonly [path: string, code: string])[]> {
  const codes: [string, string][] = []
  for (const [path, { method, endpoint }] of OFFERED) {
    const call = callBody(path, 'emu-fast')
    if (method !== 'POST' || call === undefined || endpoint.kind === 'count') continue
    const headers = { ...call.headers, authorization: `Bearer ${key}` }
    codes.push([path, await codeOf(await fetch(world.url + path, { method, headers, body: call.body }))])
  }
  return codes
}

test(
  'a budget that is used up stops every paid path, and work that another program reports',
  { tags: 'S25' },
  async () => {
    const user = await world.addUser('thrifty', 1_000_000)
    const body = { name: 'budgeted', unlimited_quota: true, budgets: [{ period: 'day' as const, quota: 0 }] }
    const { key } = await user.call(createToken, { body })
    const free = await world.addToken(user)
    const calls = emulator.journal.calls.length
    for (const [path, code] of await refusals(key)) expect([path, code]).toEqual([path, 'token_budget_exhausted'])
    const consume = (bearer: string) =>
      fetch(`${world.url}/api/token/consume`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
        body: JSON.stringify({ add_used_quota: 10, add_reason: 'work' }),
      })
    expect(await (await consume(key)).json()).toMatchObject({ success: false })
    expect(emulator.journal.calls).toHaveLength(calls)

    const [{ id = 0 } = {}] = await world.rows(`select id from user where username = 'thrifty'`)
    await world.root.call(updateUser, {
      body: { id: Number(id), username: 'thrifty', budgets: [{ period: 'month', quota: 0 }] },
    })
    for (const [path, code] of await refusals(free)) expect([path, code]).toEqual([path, 'user_budget_exhausted'])
    expect(await (await consume(free)).json()).toMatchObject({ success: false })
    expect(emulator.journal.calls).toHaveLength(calls)
  },
)

test('a token that has nothing left stops every paid path', { tags: 'S25' }, async () => {
  const user = await world.addUser('limited', 1_000_000)
  const key = await world.addToken(user, { unlimited_quota: false, remain_quota: 0 })
  const calls = emulator.journal.calls.length
  const codes = await refusals(key)
  expect(codes.length).toBeGreaterThanOrEqual(8)
  for (const [path, code] of codes) expect([path, code]).toEqual([path, 'token_exhausted'])
  expect(emulator.journal.calls).toHaveLength(calls)
})

test(
  'streams, plain calls, broken answers and clients that leave, all at once: each is charged to its own caller',
  { tags: 'S26' },
  async () => {
    const people = await Promise.all(
      Array.from({ length: PEOPLE }, async (_, person) => {
        const user = await world.addUser(`caller${person}`, 1_000_000)
        return { key: await world.addToken(user, { name: `token${person}` }), person, requests: new Set<string>() }
      }),
    )
    const call = async ({ key, person, requests }: (typeof people)[number], turn: number): Promise<void> => {
      const { plain, slow } = modelsOf(person)
      const leave = new AbortController()
      const bodies = [
        { model: plain },
        { model: slow, stream: true },
        { model: slow, stream: true, stream_options: { include_usage: true } },
        { model: 'emu-cut-mid', stream: true },
        { model: slow, stream: true, leaves: true },
      ]
      const { leaves, ...body } = { leaves: false, ...bodies[turn % bodies.length] }
      const timer = leaves ? setTimeout(() => leave.abort(), 60) : undefined
      const signal = leave.signal
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const messages = [{ role: 'user', content: 'Say something.' }]
      try {
        const reply = await world.chat(key, body, { headers, body: JSON.stringify({ messages, ...body }), signal })
        requests.add(reply.headers.get('x-request-id') ?? '')
        await reply.text()
      } catch {
        // Expected when the client leaves, and when the answer breaks off.
      } finally {
        clearTimeout(timer)
      }
    }
    await Promise.all(people.flatMap((each) => Array.from({ length: 10 }, (_, turn) => call(each, turn))))
    await world.verify()

    const charges = await world.rows(`
    select log.request_id, log.username, log.token_name, log.model_name, payer.owner_id as payer, log.user_id,
      tokens.owner_id as limited, log.token_id, trace.user_id as traced, token.user_id as owner
    from log join transfer on transfer.request_id = log.request_id and transfer.kind = 'consume'
      join account payer on payer.id = transfer.debit
      join account tokens on tokens.id = transfer.limit_account
      join token on token.id = log.token_id
      join trace on trace.request_id = log.request_id
    where log.type = 2 and log.username like 'caller%'`)
    expect(charges.length).toBeGreaterThanOrEqual(PEOPLE * 6)
    for (const charge of charges) {
      const { request_id: id, user_id: user } = charge
      expect(charge).toMatchObject({ payer: user, traced: user, owner: user, limited: charge['token_id'] })
      const person = Number(String(charge['username']).replace('caller', ''))
      expect(charge['token_name']).toBe(`token${person}`)
      const { plain, slow } = modelsOf(person)
      expect([plain, slow, 'emu-cut-mid']).toContain(charge['model_name'])
      for (const other of people) if (other.person !== person) expect(other.requests).not.toContain(id)
    }
  },
)
