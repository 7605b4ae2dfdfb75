// @module-tag slow
import { updateOption } from '@sluice/contract/routes/options'
import { explainRouting } from '@sluice/contract/routes/routing'
import { createToken, updateToken } from '@sluice/contract/routes/tokens'
import { updateUser } from '@sluice/contract/routes/users'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import type { ManagementClient } from '@sluice/testkit/management-client'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import { type RealtimeProvider, startRealtimeProvider } from '@sluice/testkit/realtime-provider'
import { type ResponsesUpstream, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

/** `gold` may also use `cheap`; `silver` may only use its own group and those open to everyone. */
const GROUPS = {
  default: {},
  gold: { ratio: 3 },
  silver: { ratio: 4 },
  cheap: { ratio: 0.1, usable_by: ['gold'], ratio_for: { gold: 0.2 }, order: 1 },
  open: { ratio: 1.5, usable_by: ['*'], order: 2 },
}
const PRICE = { ratio: 1, completion_ratio: 2 }

let emulator: Emulator
let realtime: RealtimeProvider
let responses: ResponsesUpstream
let world: GatewayWorld
let raw = 0
let ann: Person

beforeAll(async () => {
  emulator = await startEmulator()
  realtime = await startRealtimeProvider()
  responses = await startResponsesUpstream()
  world = await openGatewayWorld({ SLUICE_RELAY_RATE_LIMIT: '10000' })
  await setGroups(GROUPS)
  for (const group of Object.keys(GROUPS)) {
    const models = { model_configs: JSON.stringify({ 'emu-fast': PRICE }) }
    await world.addChannel(emulator.url, ['emu-fast'], { group, name: group, ...models })
  }
  await world.addChannel(realtime.url, ['talk'], { group: 'cheap' })
  await world.addChannel(responses.url, ['gpt'], { group: 'cheap', config: '{"api_format":"response"}' })
  raw = await world.addChannel(emulator.url, ['any'], { type: 43, group: 'cheap', model_configs: '' })
  const client = await world.addUser('ann', 100_000_000)
  const [row] = await world.rows('select max(id) as id from "user"')
  ann = { id: Number(row?.['id']), client }
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await Promise.all([emulator.close(), realtime.close(), responses.close()])
})

const setGroups = (groups: object) =>
  world.root.call(updateOption, { body: { key: 'Groups', value: JSON.stringify(groups) } })

interface Person {
  readonly id: number
  readonly client: ManagementClient
}
/** Moves the only user of these tests to a group: signing up a user for each test takes too long. */
async function person(group: string): Promise<Person> {
  await move(ann, group)
  return ann
}
const move = ({ id }: Person, group: string) => world.root.call(updateUser, { body: { id, group } })

/** The channel that answered and the ratio charged, or the refusal's code. */
async function outcome(key: string): Promise<string> {
  const reply = await world.chat(key, { model: 'emu-fast' })
  const text = await reply.text()
  if (!reply.ok) return (JSON.parse(text) as { error: { code: string } }).error.code
  const id = reply.headers.get('x-request-id') ?? ''
  const [row] = await world.rows(
    `select channel_name, group_ratio from log join transfer on transfer.request_id = log.request_id
      join price on price.id = transfer.price_id where log.request_id = '${id}'`,
  )
  expect([reply.headers.get('x-sluice-group') ?? row?.['channel_name']]).toEqual([row?.['channel_name']])
  return `${String(row?.['channel_name'])} ${Number(row?.['group_ratio']) / 1e6}`
}

describe('a user who comes to another group', { tags: 'S37' }, () => {
  test.each([
    // group at first, the token's groups, outcome, later group, outcome
    ['gold', [], 'gold 3', 'silver', 'silver 4'],
    ['gold', ['cheap'], 'cheap 0.2', 'silver', 'token_groups_unusable'],
    ['gold', ['cheap', 'gold'], 'cheap 0.2', 'silver', 'token_groups_unusable'],
    ['gold', ['cheap', 'open'], 'cheap 0.2', 'silver', 'open 1.5'],
    ['gold', ['open', 'cheap'], 'open 1.5', 'silver', 'open 1.5'],
    ['gold', ['gold'], 'gold 3', 'silver', 'token_groups_unusable'],
    ['gold', ['auto'], 'cheap 0.2', 'silver', 'open 1.5'],
    ['silver', ['silver', 'open'], 'silver 4', 'gold', 'open 1.5'],
    ['silver', ['auto'], 'open 1.5', 'gold', 'cheap 0.2'],
    ['default', ['default'], 'default 1', 'silver', 'token_groups_unusable'],
  ] as const)('from %s with a token for %j (%s) to %s gets %s, and back the same as before', async (...row) => {
    const [from, groups, asMade, to, then] = row
    const someone = await person(from)
    const key = await world.addToken(someone.client, { groups: [...groups] })
    expect(await outcome(key)).toBe(asMade)
    await move(someone, to)
    expect(await outcome(key)).toBe(then)
    await move(someone, from)
    expect(await outcome(key)).toBe(asMade)
  })

  test('is told by the refusal which groups the token names, and no provider is called', async () => {
    const someone = await person('gold')
    const key = await world.addToken(someone.client, { groups: ['cheap', 'gold'] })
    await move(someone, 'silver')
    const before = emulator.journal.received
    const reply = await world.chat(key, { model: 'emu-fast' })
    expect([reply.status, await reply.json()]).toMatchObject([
      403,
      {
        error: {
          code: 'token_groups_unusable',
          message: expect.stringContaining('cannot use any of its groups: cheap, gold.'),
        },
      },
    ])
    expect(emulator.journal.received).toBe(before)
    const [token] = await world.rows('select max(id) as id from token')
    const explained = await world.root.call(explainRouting, {
      body: { model: 'emu-fast', token_id: Number(token?.['id']) },
    })
    expect(explained).toMatchObject({
      group: 'silver',
      groups: [],
      skipped_groups: ['cheap', 'gold'],
      refusal: { code: 'token_groups_unusable', status: 403 },
    })
  })

  test('loses the group for every kind of call', async () => {
    const someone = await person('gold')
    const key = await world.addToken(someone.client, { groups: ['cheap', 'open'] })
    const authorization = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const call = async (path: string, body?: object, method = 'POST') => {
      const init = body === undefined ? {} : { body: JSON.stringify(body) }
      const reply = await fetch(`${world.url}${path}`, { method, headers: authorization, ...init })
      const json = (await reply.json()) as { id?: string; error?: { code: string } }
      return { ...json, outcome: json.error?.code ?? `${reply.status} ${reply.headers.get('x-sluice-group')}` }
    }
    const talk = () =>
      openRealtimeClient(`${world.url}/v1/realtime?model=talk`, [], { headers: { authorization: `Bearer ${key}` } })
    const made = await call('/v1/responses', { model: 'gpt', input: 'Say something.' })
    expect(made.outcome).toBe('200 cheap')
    const next = { model: 'gpt', input: 'And more.', previous_response_id: made.id }
    expect((await call('/v1/responses', next)).outcome).toBe('200 cheap')
    expect((await call(`/v1/oneapi/proxy/${raw}/v1/models`, undefined, 'GET')).outcome).toBe('200 cheap')
    const session = await talk()
    expect(session.headers['x-sluice-group']).toBe('cheap')
    await move(someone, 'silver')
    expect((await call('/v1/responses', { model: 'gpt', input: 'Say something.' })).outcome).toBe('model_not_found')
    expect((await call('/v1/responses', next)).outcome).toBe('response_out_of_reach')
    expect((await call('/v1/models/gpt', undefined, 'GET')).outcome).toBe('model_not_found')
    expect((await call(`/v1/oneapi/proxy/${raw}/v1/models`, undefined, 'GET')).outcome).toBe('raw_channel_missing')
    const counted = { model: 'gpt', messages: [{ role: 'user', content: '?' }] }
    expect((await call('/v1/messages/count_tokens', counted)).outcome).toMatch(/not_found/)
    await expect(talk()).rejects.toMatchObject({ status: 404 })
    // The response admitted earlier is served; the next one is not.
    session.send({ type: 'response.create', response: {} })
    await session.take('response.done')
    expect(await session.take('error')).toMatchObject({ error: { code: 'token_groups_unusable' } })
    expect((await session.ended).code).toBe(1008)
  })
})

describe('a group that is closed, dropped, or gets another price', { tags: 'S37' }, () => {
  afterEach(() => setGroups(GROUPS))

  test('serves no token any more from then on, and is charged at its new ratio', async () => {
    const someone = await person('silver')
    const key = await world.addToken(someone.client, { groups: ['open', 'silver'] })
    expect(await outcome(key)).toBe('open 1.5')
    await setGroups({ ...GROUPS, open: { ratio: 1.5, usable_by: ['*'], ratio_for: { silver: 7 } } })
    expect(await outcome(key)).toBe('open 7')
    await setGroups({ ...GROUPS, open: { ratio: 1.5 } })
    expect(await outcome(key)).toBe('silver 4')
    const { open: _, ...rest } = GROUPS
    await setGroups(rest)
    expect(await outcome(key)).toBe('silver 4')
  })
})

describe('a token’s groups', { tags: 'S37' }, () => {
  test.each([
    [{ groups: ['open', 'cheap'] }, 'groups[1]: names a group that this account cannot use: "cheap"'],
    [{ groups: ['nobody'] }, 'groups[0]: names a group that this account cannot use: "nobody"'],
    [{ group: 'cheap' }, 'group: names a group that this account cannot use: "cheap"'],
    [{ groups: ['open', 'open'] }, 'names a group twice'],
    [{ groups: ['open', 'auto'] }, '"auto" stands for a whole list of groups'],
    [{ groups: ['a,b'] }, 'must not contain a comma'],
    [{ groups: ['x'.repeat(33)] }, 'limited to 32 characters'],
    [{ groups: Array.from({ length: 11 }, (_, at) => `g${at}`) }, 'limited to 10 groups'],
  ])('%j are refused to a user who may not use them, when it is made and when it is edited', async (body, problem) => {
    const { client } = await person('silver')
    await expect(client.call(createToken, { body: { name: 'k', ...body } })).rejects.toThrow(problem)
    const { id } = await client.call(createToken, { body: { name: 'k' } })
    await expect(client.call(updateToken, { body: { id, name: 'k', ...body } })).rejects.toThrow(problem)
  })

  test('of an account are not those of another: a foreign own group is not usable', async () => {
    const { client } = await person('silver')
    await expect(client.call(createToken, { body: { name: 'k', groups: ['gold'] } })).rejects.toThrow('groups[0]')
  })

  test('are one group for clients of the family, who keep a list that they send back', async () => {
    const { client } = await person('gold')
    const made = await client.call(createToken, { body: { name: 'k', groups: ['cheap', 'open'] } })
    expect(made).toMatchObject({ groups: ['cheap', 'open'], group: 'cheap' })
    const edit = (body: object) => client.call(updateToken, { body: { id: made.id, name: 'k', ...body } })
    expect(await edit({ group: 'cheap' })).toMatchObject({ groups: ['cheap', 'open'] })
    expect(await edit({})).toMatchObject({ groups: ['cheap', 'open'] })
    expect(await edit({ group: 'open' })).toMatchObject({ groups: ['open'], group: 'open' })
    expect(await edit({ group: 'auto' })).toMatchObject({ groups: ['auto'], group: 'auto' })
    expect(await edit({ group: '' })).toMatchObject({ groups: [], group: '' })
    expect(await edit({ groups: ['cheap'], group: 'ignored' })).toMatchObject({ groups: ['cheap'] })
  })
})
