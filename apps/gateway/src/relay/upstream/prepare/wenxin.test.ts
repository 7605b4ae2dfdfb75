import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const TOKEN_PATH = '/oauth/2.0/token'
const CHAT_PATH = '/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/ernie_speed'
const USAGE = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }

let wenxin: Site
let world: GatewayWorld
let key = ''
/** Tokens issued so far; only the last one is accepted. */
let given = 0

beforeAll(async () => {
  wenxin = await startSite(({ path, query }): SiteReply => {
    if (path === TOKEN_PATH) return { body: { access_token: `24.token-${++given}`, expires_in: 2_592_000 } }
    if (query.get('access_token') !== `24.token-${given}`) {
      return { body: { error_code: 111, error_msg: 'Access token expired' } }
    }
    return { body: { id: 'as-1', result: '你好', is_truncated: false, usage: USAGE } }
  })
  world = await openGatewayWorld()
  await world.addChannel(wenxin.url, ['ernie-speed'], { type: 15, key: 'api-key|secret-key' })
  key = await world.addToken(world.root)
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await wenxin.close()
})

const ask = async () => await (await world.chat(key, { model: 'ernie-speed' })).json()
const askedFor = (path: string) => wenxin.seen.filter((request) => request.path === path)

test('older keys of Baidu open its older interface, with a token that is fetched once', async () => {
  const answers = await Promise.all([ask(), ask(), ask()])
  for (const answer of answers) {
    expect(answer).toMatchObject({ choices: [{ message: { content: '你好' }, finish_reason: 'stop' }], usage: USAGE })
  }
  const [request, ...more] = askedFor(TOKEN_PATH)
  expect(more).toEqual([])
  expect(Object.fromEntries(request?.query ?? [])).toEqual({
    grant_type: 'client_credentials',
    client_id: 'api-key',
    client_secret: 'secret-key',
  })
  expect(askedFor(CHAT_PATH)).toHaveLength(3)
})

test('an expired token is fetched again, and neither it nor the key is ever logged', { tags: 'S20' }, async () => {
  given += 1
  expect(await ask()).toMatchObject({ choices: [{ message: { content: '你好' } }] })
  expect(askedFor(TOKEN_PATH)).toHaveLength(2)
  const rows = JSON.stringify(await world.rows('select url, attempts, upstream_usage from trace'))
  for (const secret of ['24.token', 'secret-key']) expect(world.log.join('\n') + rows).not.toContain(secret)
})
