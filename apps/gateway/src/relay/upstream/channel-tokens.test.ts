import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const TOKEN_PATH = '/api/permission/oauth2/token'
const CHAT_PATH = '/v3/chat'
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })

let coze: Site
let world: GatewayWorld
let key = ''
let answer = ''
/** Issued tokens; only the last is accepted. */
let given: string[] = []
let refusesTokens = false

beforeAll(async () => {
  answer = await readFile(new URL('../../../../../tests/recorded/answers/coze/thinking.sse', import.meta.url), 'utf8')
  coze = await startSite(({ path, headers }): SiteReply => {
    if (path === TOKEN_PATH) {
      if (refusesTokens) return { status: 401, body: { error: 'access_denied', error_description: 'canary' } }
      given.push(`token-${given.length + 1}`)
      return { body: { access_token: given.at(-1), expires_in: 3_600, token_type: 'Bearer' } }
    }
    const isKnown = headers.authorization === `Bearer ${given.at(-1)}`
    return isKnown
      ? { headers: { 'content-type': 'text/event-stream' }, body: answer }
      : { status: 401, body: { msg: 'no' } }
  })
  world = await openGatewayWorld()
  key = await world.addToken(world.root)
})
beforeEach(() => {
  given = []
  refusesTokens = false
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await coze.close()
})

async function addBot(model: string): Promise<void> {
  const app = {
    client_type: 'jwt',
    client_id: model,
    coze_www_base: coze.url,
    coze_api_base: coze.url,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    public_key_id: 'public-1',
  }
  const config = { auth_type: 'oauth_jwt', user_id: 'user-7' }
  await world.addChannel(coze.url, [model], { type: 34, key: JSON.stringify(app), config: JSON.stringify(config) })
}

const ask = (model: string, more: object = {}) =>
  world.chat(key, { model, messages: [{ role: 'user', content: 'Hello' }], ...more })
const requested = (path: string, from: number) => coze.seen.slice(from).filter((request) => request.path === path)

describe('a channel whose provider requires a token', () => {
  it('fetches it once for many calls, and sends it with each', async () => {
    await addBot('bot-1')
    const before = coze.seen.length
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask('bot-1')))
    for (const reply of replies) {
      expect(await reply.json()).toMatchObject({
        choices: [
          { message: { content: 'Hello there', reasoning_content: 'The user greets.' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 614, completion_tokens: 19 },
      })
    }
    expect(requested(TOKEN_PATH, before)).toHaveLength(1)
    const [call] = requested(CHAT_PATH, before)
    expect(call?.headers.authorization).toBe('Bearer token-1')
    expect(JSON.parse(call?.body ?? '')).toMatchObject({ bot_id: '1', user_id: 'user-7', stream: true })
  })

  it('fetches another when the provider revoked it before it expired', async () => {
    await addBot('bot-2')
    expect((await ask('bot-2')).status).toBe(200)
    given.push('token-of-somebody-else')
    const before = coze.seen.length
    expect((await ask('bot-2', { stream: true })).status).toBe(200)
    expect(coze.seen.slice(before).map(({ path }) => path)).toEqual([CHAT_PATH, TOKEN_PATH, CHAT_PATH])
  })

  it('that gets none tells the client nothing of key and reason, and costs nothing', { tags: 'S20' }, async () => {
    await addBot('bot-3')
    refusesTokens = true
    const reply = await ask('bot-3')
    expect(reply.status).toBe(502)
    expect(await reply.text()).not.toMatch(/canary|access_denied|PRIVATE|bot-3:/)
    const id = reply.headers.get('x-request-id')
    const [trace] = await world.rows(`select attempts from trace where request_id = '${id}'`)
    const [attempt] = JSON.parse(String(trace?.['attempts'])) as [{ started: number; ended: number }]
    expect(attempt.ended).toBeGreaterThanOrEqual(attempt.started)
    expect(
      await world.rows("select * from transfer where kind = 'charge' and channel_id = (select max(id) from channel)"),
    ).toEqual([])
  })
})
