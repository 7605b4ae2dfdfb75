import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type ResponsesUpstream, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let first: ResponsesUpstream
let second: ResponsesUpstream
let world: GatewayWorld
let mine = ''
let others = ''
const RESPONSES = { config: '{"api_format":"response"}' }

beforeAll(async () => {
  first = await startResponsesUpstream()
  second = await startResponsesUpstream()
  world = await openGatewayWorld()
  // A draw by weight would give each of the two half of the calls.
  await world.addChannel(first.url, ['gpt'], { ...RESPONSES, name: 'first' })
  await world.addChannel(second.url, ['gpt'], { ...RESPONSES, name: 'second' })
  mine = await world.addToken(world.root)
  others = await world.addToken(await world.addUser('somebody', 10_000_000))
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await first.close()
  await second.close()
})

interface Made {
  readonly id: string
  readonly output: readonly { readonly id: string }[]
}

const call = (key: string, method: string, path: string, body?: object) =>
  fetch(`${world.url}/v1/responses${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

async function make(key: string, fields: object = {}): Promise<Made> {
  const reply = await call(key, 'POST', '', { model: 'gpt', input: 'Say something.', ...fields })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Made
}

const errorOf = async (reply: Response) => {
  const { error } = (await reply.json()) as { error: { code: string; param: string | null } }
  return [reply.status, error.code, error.param]
}

const keeperOf = ({ id }: Made) =>
  [first, second].find(({ calls }) => calls.some(({ answered }) => answered === id)) ?? first

test('a request that refers to an earlier response goes to the provider that stores it, each time', async () => {
  for (let i = 0; i < 6; i++) {
    const made = await make(mine)
    const next = await make(mine, { previous_response_id: made.id })
    expect(keeperOf(next)).toBe(keeperOf(made))
    const item = made.output[1]?.id
    const third = await make(mine, { input: [{ type: 'item_reference', id: item }] })
    expect(keeperOf(third)).toBe(keeperOf(made))
  }
})

test('a streamed response is found by the very next call', async () => {
  const reply = await call(mine, 'POST', '', { model: 'gpt', input: 'x', stream: true })
  const id = /"id":"(resp_[^"]+)"/.exec(await reply.text())?.[1]
  expect((await call(mine, 'GET', `/${id}`)).status).toBe(200)
})

test(
  'responses of another user cannot be continued, read, listed, cancelled or deleted, nor distinguished from unknown ones',
  { tags: ['S11', 'S31'] },
  async () => {
    const made = await make(mine)
    const calls = first.calls.length + second.calls.length
    const ask = (fields: object) => call(others, 'POST', '', { model: 'gpt', input: 'x', ...fields })
    for (const id of [made.id, 'resp_unknown']) {
      expect(await errorOf(await ask({ previous_response_id: id }))).toEqual([
        400,
        'response_not_kept',
        'previous_response_id',
      ])
      expect(await errorOf(await call(others, 'GET', `/${id}`))).toEqual([404, 'response_missing', null])
      expect(await errorOf(await call(others, 'DELETE', `/${id}`))).toEqual([404, 'response_missing', null])
      expect(await errorOf(await call(others, 'POST', `/${id}/cancel`))).toEqual([404, 'response_missing', null])
      expect(await errorOf(await call(others, 'GET', `/${id}/input_items`))).toEqual([404, 'response_missing', null])
    }
    for (const id of [made.output[0]?.id, 'rs_unknown']) {
      for (const input of [[{ type: 'item_reference', id }], [{ id }]]) {
        expect(await errorOf(await ask({ input }))).toEqual([400, 'response_not_kept', 'input[0].id'])
      }
    }
    expect(first.calls.length + second.calls.length).toBe(calls)
  },
)

test('its owner reads, lists, cancels and deletes it where it is; the key in a query is not forwarded', async () => {
  const made = await make(mine)
  const keeper = keeperOf(made)
  expect(await (await call(mine, 'GET', `/${made.id}?include[]=a&key=secret`)).json()).toEqual({
    requested: `GET /v1/responses/${made.id}?include%5B%5D=a`,
  })
  expect((await call(mine, 'GET', `/${made.id}/input_items?limit=2`)).status).toBe(200)
  expect((await call(mine, 'POST', `/${made.id}/cancel`)).status).toBe(200)
  expect((await call(mine, 'DELETE', `/${made.id}`)).status).toBe(200)
  expect(keeper.calls.slice(-3).map(({ method, path }) => `${method} ${path}`)).toEqual([
    `GET /v1/responses/${made.id}/input_items?limit=2`,
    `POST /v1/responses/${made.id}/cancel`,
    `DELETE /v1/responses/${made.id}`,
  ])
  expect(await errorOf(await call(mine, 'GET', `/${made.id}`))).toEqual([404, 'response_missing', null])
})

test('a response that the provider was told to forget is not remembered here either', async () => {
  const made = await make(mine, { store: false })
  expect((await call(mine, 'GET', `/${made.id}`)).status).toBe(404)
})

test('responses stored by two providers cannot be combined, and a paused channel is out of reach', async () => {
  const made: Made[] = []
  while (new Set(made.map(keeperOf)).size < 2) made.push(await make(mine))
  const [one, two] = [first, second].map((keeper) => made.find((each) => keeperOf(each) === keeper)?.id)
  const reply = await call(mine, 'POST', '', {
    model: 'gpt',
    previous_response_id: one,
    input: [{ type: 'item_reference', id: two }],
  })
  expect(await errorOf(reply)).toEqual([400, 'response_out_of_reach', 'input[0].id'])
  const [channel] = await world.rows(`select id from channel where name = 'first'`)
  await world.changeChannel({ id: Number(channel?.['id']), status: 2 })
  await expect
    .poll(
      async () => await errorOf(await call(mine, 'POST', '', { model: 'gpt', previous_response_id: one, input: 'x' })),
    )
    .toEqual([400, 'response_out_of_reach', 'previous_response_id'])
})

test.each([
  ['PUT', '/resp_1', 405, 'method_not_allowed'],
  ['GET', '/resp_1/cancel', 405, 'method_not_allowed'],
  ['GET', '/resp_1?stream=true', 400, 'invalid_body'],
  ['GET', '/input_tokens', 405, 'method_not_allowed'],
  ['GET', '/compact', 405, 'method_not_allowed'],
  ['GET', '/resp_1/other', 501, 'not_implemented'],
])('%s %s is refused with %i', async (method, path, status, code) => {
  expect((await errorOf(await call(mine, method, path))).slice(0, 2)).toEqual([status, code])
})

test('without a key nothing is shown', async () => {
  expect((await fetch(`${world.url}/v1/responses/resp_1`)).status).toBe(401)
})
