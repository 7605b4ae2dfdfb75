import { openGatewayWorld } from '@sluice/testkit/gateway-world'
import { startRawUpstream } from '@sluice/testkit/raw-upstream'
import { expect, test } from 'vitest'

test('a gateway that stops while providers count says so', async () => {
  const silent = await startRawUpstream(() => {})
  const world = await openGatewayWorld({ SLUICE_DRAIN_TIMEOUT: '0.2' })
  for (const priority of [1, 2]) await world.addChannel(silent.url, ['claude'], { type: 14, priority })
  const key = await world.addToken(world.root)
  const reply = fetch(`${world.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  await expect.poll(() => silent.requests.length).toBe(1)
  await world.stop()
  const refused = await reply
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { type: 'error', error: { type: 'overloaded_error' } },
  ])
  await world.close()
  await silent.close()
})
