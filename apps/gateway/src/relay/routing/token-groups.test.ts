import { ownGroups } from '@sluice/contract/routes/account'
import { traceOfRequest } from '@sluice/contract/routes/logs'
import { updateOption } from '@sluice/contract/routes/options'
import { modelsDisplay } from '@sluice/contract/routes/public'
import { receiptOfRequest } from '@sluice/contract/routes/receipts'
import { explainRouting } from '@sluice/contract/routes/routing'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import type { ManagementClient } from '@sluice/testkit/management-client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

const GROUPS = {
  default: {},
  vip: { ratio: 0.5, text: 'half the price', usable_by: ['*'], order: 2 },
  快: { ratio: 2, title: 'Fast', usable_by: ['default'], ratio_for: { default: 1.5 }, order: 1 },
  closed: { ratio: 9 },
}

let emulator: Emulator
let world: GatewayWorld
let ann: ManagementClient

beforeAll(async () => {
  emulator = await startEmulator()
  world = await openGatewayWorld()
  await world.root.call(updateOption, { body: { key: 'Groups', value: JSON.stringify(GROUPS) } })
  await add('default', ['own'])
  await add('vip', ['both', 'vip-only', 'broken-in-vip'], { 'broken-in-vip': 'emu-error-500' })
  await add('快', ['both', 'fast-only', 'broken-in-vip', 'broken'], { broken: 'emu-error-500' })
  await add('vip', ['broken'], { broken: 'emu-error-500' })
  await add('default,vip,快', ['everywhere'])
  ann = await world.addUser('ann', 100_000_000)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await emulator.close()
})

/** Adds a channel at its own address, so that its failures do not affect other channels. */
function add(group: string, models: readonly string[], mapping: Readonly<Record<string, string>> = {}) {
  const mapped = Object.fromEntries(models.map((model) => [model, mapping[model] ?? 'emu-fast']))
  const price = { ratio: 1, completion_ratio: 2 }
  return world.addChannel(emulator.at(`place-${++places}`), models, {
    name: `${group} ${places}`,
    group,
    model_mapping: JSON.stringify(mapped),
    model_configs: JSON.stringify({ 'emu-fast': price, 'emu-error-500': price }),
  })
}
let places = 0

const keyFor = (groups: readonly string[], owner = ann) => world.addToken(owner, { groups: [...groups] })

async function ask(key: string, model: string, more: object = {}) {
  const reply = await world.chat(key, { model, ...more })
  const text = await reply.text()
  const id = reply.headers.get('x-request-id') ?? ''
  const code = reply.ok ? '' : (JSON.parse(text) as { error: { code: string; message: string } }).error
  return { status: reply.status, group: reply.headers.get('x-sluice-group'), id, error: code }
}
const receiptOf = (id: string) => ann.call(receiptOfRequest, { path: { request_id: id } })
const ratioOf = async (id: string) => (await receiptOf(id)).movements[0]?.calculation?.group_ratio

describe('a token that names no groups', () => {
  test('is served by the group of its owner and told nothing of groups', async () => {
    const { status, group, id } = await ask(await keyFor([]), 'own')
    expect([status, group]).toEqual([200, null])
    expect(await receiptOf(id)).toMatchObject({ group: '', fault: '' })
    const trace = await world.root.call(traceOfRequest, { path: { trace_id: id } })
    expect(trace.routing).not.toHaveProperty('groups')
    expect(trace.attempts[0]).not.toHaveProperty('group')
    expect(trace.log.content).toMatch(/completion ratio 2, group ratio 1$/)
  })

  test('finds nothing of other groups, not even of those that its owner may use', async () => {
    expect(await ask(await keyFor([]), 'vip-only')).toMatchObject({
      status: 404,
      error: {
        message: expect.stringMatching(/"vip-only" does not exist or this token has no access to it\. \(request/),
      },
    })
  })
})

describe('a token that names groups', () => {
  test('is served by the first that has the model, at its ratio', async () => {
    const key = await keyFor(['vip', '快'])
    const both = await ask(key, 'both')
    expect(both).toMatchObject({ status: 200, group: 'vip' })
    expect(await ratioOf(both.id)).toBe('0.5')
    const fast = await ask(key, 'fast-only')
    expect(fast).toMatchObject({ status: 200, group: encodeURIComponent('快') })
    expect(await ratioOf(fast.id)).toBe('1.5')
    expect(await ask(await keyFor(['快', 'vip']), 'both')).toMatchObject({ group: encodeURIComponent('快') })
  })

  test.each([false, true])(
    'goes on to the next group when one fails, and is charged by the one that answered (stream: %s)',
    async (stream) => {
      const { status, group, id } = await ask(await keyFor(['vip', '快']), 'broken-in-vip', { stream })
      expect([status, group]).toEqual([200, encodeURIComponent('快')])
      const receipt = await receiptOf(id)
      expect(receipt).toMatchObject({ group: '快', fault: '', missing: [] })
      expect(receipt.movements[0]?.calculation?.group_ratio).toBe('1.5')
      const trace = await world.root.call(traceOfRequest, { path: { trace_id: id } })
      expect(trace.attempts.map(({ group: tried, status: got }) => [tried, got])).toEqual([
        ['vip', 500],
        ['快', 200],
      ])
      expect(trace.routing?.groups).toEqual(['vip', '快'])
      expect(trace.routing?.lanes.map(({ group: tried, order }) => [tried, order])).toEqual([
        ['vip', 1],
        ['快', 2],
      ])
      expect(trace.log.content).toContain('group 快, group ratio 1.5')
    },
  )

  test('tries each of its groups even where further channels are not tried', async () => {
    await world.root.call(updateOption, { body: { key: 'RetryTimes', value: 0 } })
    expect(await ask(await keyFor(['default', 'vip', '快']), 'broken-in-vip')).toMatchObject({ status: 200 })
    await world.root.call(updateOption, { body: { key: 'RetryTimes', value: 2 } })
  })

  test('is told the last failure when all of them fail, and pays nothing', async () => {
    const before = await world.rows(`select count(*) as n from transfer where kind = 'consume'`)
    expect(await ask(await keyFor(['vip', '快']), 'broken')).toMatchObject({ status: 500, group: null })
    expect(await world.rows(`select count(*) as n from transfer where kind = 'consume'`)).toEqual(before)
  })

  test('tries a channel that serves several of them once, for the first', async () => {
    const { group, id } = await ask(await keyFor(['快', 'vip']), 'everywhere')
    expect(group).toBe(encodeURIComponent('快'))
    const trace = await world.root.call(traceOfRequest, { path: { trace_id: id } })
    expect(trace.routing?.lanes).toHaveLength(1)
  })

  test('holds for the dearest of them, and charges the one that answered', async () => {
    const held = async (groups: readonly string[]) =>
      (await receiptOf((await ask(await keyFor(groups), 'both')).id)).held
    const cheap = Number(await held(['vip']))
    expect(Number(await held(['vip', '快']))).toBe(3 * cheap)
    expect(Number(await held(['快', 'vip']))).toBe(3 * cheap)
  })

  test('is served by the first alone when its owner cannot pay for the dearest', async () => {
    const cheap = Number((await receiptOf((await ask(await keyFor(['vip']), 'both')).id)).held)
    const poor = await world.addUser('poor', cheap)
    expect(await ask(await keyFor(['vip', '快'], poor), 'both')).toMatchObject({ status: 200, group: 'vip' })
    expect(await ask(await keyFor(['快', 'vip'], poor), 'both')).toMatchObject({
      status: 403,
      error: { code: 'insufficient_user_quota' },
    })
  })

  test('is told the groups that were asked when none has the model, in its own dialect', async () => {
    const key = await keyFor(['vip', '快'])
    expect(await ask(key, 'own')).toMatchObject({
      status: 404,
      error: { code: 'model_not_found', message: expect.stringContaining('no access to it (groups: vip, 快).') },
    })
    const reply = await fetch(`${world.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'own', max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect([reply.status, await reply.json()]).toMatchObject([
      404,
      { type: 'error', error: { type: 'not_found_error', message: expect.stringContaining('(groups: vip, 快)') } },
    ])
  })

  test('lists the models of all of them, each once', async () => {
    const list = async (path: string, key: string) => {
      const reply = await fetch(`${world.url}${path}`, { headers: { authorization: `Bearer ${key}` } })
      return (await reply.json()) as { data: { id: string }[] }
    }
    const key = await keyFor(['vip', '快'])
    const names = (await list('/v1/models', key)).data.map(({ id }) => id)
    expect(names).toEqual(['both', 'broken', 'broken-in-vip', 'everywhere', 'fast-only', 'vip-only'])
    expect((await list('/v1/models', await keyFor([]))).data.map(({ id }) => id)).toEqual(['everywhere', 'own'])
    expect(await list('/v1/models/own', key)).toMatchObject({ error: { code: 'model_not_found' } })
    expect((await list('/api/available_models', key)).data).toMatchObject({ available: names })
  })

  test('is served with auto by those of AutoGroups that its owner may use, in their order', async () => {
    expect(await ask(await world.addToken(ann, { group: 'auto' }), 'both')).toMatchObject({
      group: encodeURIComponent('快'),
    })
    const other = await closedUser()
    expect(await ask(await world.addToken(other, { group: 'auto' }), 'both')).toMatchObject({ group: 'vip' })
  })

  test('can be explained: the groups that would be tried, and those that its owner cannot use', async () => {
    await keyFor(['快', 'vip'])
    const [row] = await world.rows('select max(id) as id from token')
    const explained = await world.root.call(explainRouting, { body: { model: 'both', token_id: Number(row?.['id']) } })
    expect(explained).toMatchObject({ group: 'default', groups: ['快', 'vip'], skipped_groups: [] })
    expect(explained.decision?.lanes.map(({ group, order }) => [group, order])).toEqual([
      ['快', 1],
      ['vip', 2],
    ])
  })

  test('may be read by a page of another origin that wants to know the group', async () => {
    const key = await keyFor(['vip'])
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      origin: 'https://app.example',
    }
    const reply = await world.chat(key, { model: 'both' }, { headers })
    await reply.text()
    expect(reply.headers.get('access-control-expose-headers')).toContain('X-Sluice-Group')
  })
})

describe('a user', () => {
  test('sees the groups to choose from with their own ratios, and the channels of each in the price list', async () => {
    expect(await ann.call(ownGroups, {})).toEqual({
      default: { ratio: 1, desc: 'default', title: '', own: true, order: 0 },
      快: { ratio: 1.5, desc: 'Fast', title: 'Fast', own: false, order: 1 },
      vip: { ratio: 0.5, desc: 'half the price', title: '', own: false, order: 2 },
      auto: { ratio: '自动', desc: 'auto', title: '', own: false, order: 0 },
    })
    const list = await ann.call(modelsDisplay, {})
    expect(Object.values(list).map(({ channel_name: name, groups }) => [name, groups])).toEqual([
      ['default 1', ['default']],
      ['vip 2', ['vip']],
      ['快 3', ['快']],
      ['vip 4', ['vip']],
      ['default,vip,快 5', ['default', '快', 'vip']],
    ])
    const ofVip = await ann.call(modelsDisplay, { query: { group: 'vip' } })
    expect(Object.values(ofVip).map(({ channel_name: name }) => name)).toEqual(['vip 2', 'vip 4', 'default,vip,快 5'])
    expect(await ann.call(modelsDisplay, { query: { group: 'closed' } })).toEqual({})
  })
})

let closedUsers = 0
function closedUser(): Promise<ManagementClient> {
  return world.addUser(`closed-${++closedUsers}`, 100_000_000, { group: 'closed' })
}
