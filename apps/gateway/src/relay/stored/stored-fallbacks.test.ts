import { updateOption } from '@sluice/contract/routes/options'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type ResponsesUpstream, startResponsesUpstream } from '@sluice/testkit/responses-upstream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

let provider: ResponsesUpstream
let world: GatewayWorld
const RESPONSES = { config: '{"api_format":"response"}' }

beforeAll(async () => {
  provider = await startResponsesUpstream()
  world = await openGatewayWorld()
  await world.addChannel('http://127.0.0.1:1', ['main'], RESPONSES)
  await world.addChannel(provider.url, ['spare'], RESPONSES)
  await world.root.call(updateOption, { body: { key: 'ModelFallbacks', value: '{"main":["spare"]}' } })
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await provider.close()
})

const make = async (token: string, fields: object = {}) => {
  const reply = await fetch(`${world.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'main', input: 'Say something.', ...fields }),
  })
  return { status: reply.status, body: (await reply.json()) as { id: string; error: { code: string } } }
}

test('a conversation that a fallback has begun continues with it, because the requested model knows nothing of it', async () => {
  const token = await world.addToken(world.root)
  const { body } = await make(token)
  expect(await make(token, { previous_response_id: body.id })).toMatchObject({ status: 200 })
  const last = provider.calls.at(-1)?.json
  expect(last).toMatchObject({ model: 'spare', previous_response_id: body.id })
})

test('a token that may not use the fallback cannot continue with it either', async () => {
  const { body } = await make(await world.addToken(world.root))
  const tied = await world.addToken(world.root, { name: 'tied', models: 'main' })
  expect(await make(tied, { previous_response_id: body.id })).toMatchObject({
    status: 400,
    body: { error: { code: 'response_out_of_reach' } },
  })
})
