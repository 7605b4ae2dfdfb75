import { updateOption } from '@sluice/contract/routes/options'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { type Site, type SiteReply, startSite } from '@sluice/testkit/http-site'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

/** Requests for more embeddings than the provider creates per call. */
let site: Site
let world: GatewayWorld
let key = ''
let answer: (path: string, body: Readonly<Record<string, unknown>>) => SiteReply | Promise<SiteReply>

const [COHERE, GEMINI, AWS, BAILIAN, OTHER] = [35, 24, 33, 49, 50]

beforeAll(async () => {
  site = await startSite(({ path, body }) => answer(path, JSON.parse(body) as Record<string, unknown>))
  world = await openGatewayWorld()
  await world.addChannel(site.url, ['gemini-embedding-001'], { type: GEMINI, key: 'k' })
  await world.addChannel(site.url, ['embed-v4.0'], { type: COHERE, key: 'k' })
  await world.addChannel(site.url, ['text-embedding-v4'], { type: BAILIAN, key: 'k' })
  await world.addChannel(site.url, ['home-made'], { type: OTHER, key: 'k' })
  await world.addChannel(site.url, ['amazon.titan-embed-text-v2:0'], { type: AWS, key: 'AK|SK|eu-west-1' })
  key = await world.addToken(world.root)
})
beforeEach(() => {
  answer = embeds
})
afterEach(() => world.verify())
afterAll(async () => {
  await world.close()
  await site.close()
})

interface Bodies {
  readonly requests?: readonly { readonly content: { readonly parts: readonly [{ readonly text: string }] } }[]
  readonly texts?: readonly string[]
  readonly input?: readonly (string | readonly number[])[]
}

const numberOf = (text: unknown) => Number(String(text).replace(/\D/g, ''))

/** Answers like the real providers: each vector identifies its text, and each text counts as two tokens. */
function embeds(_: string, { requests, texts, input = [] }: Bodies): SiteReply {
  if (requests !== undefined) {
    const vectors = requests.map(({ content: { parts } }) => ({ values: [numberOf(parts[0].text), 1] }))
    return requests.length > 100 ? TOO_MANY : { body: { embeddings: vectors } }
  }
  if (texts !== undefined) {
    const meta = { billed_units: { input_tokens: texts.length * 2 } }
    return texts.length > 96
      ? TOO_MANY
      : { body: { id: 'x', embeddings: { float: texts.map((text) => [numberOf(text)]) }, meta } }
  }
  const tokens = input.length * 2
  const data = input.map((text, index) => ({ object: 'embedding', index, embedding: [numberOf(text)] }))
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return input.length > 10 ? TOO_MANY : { body: { object: 'list', data, model: 'm', usage } }
}
const TOO_MANY: SiteReply = { status: 400, body: { error: { message: 'too many', type: 'invalid_request_error' } } }

const texts = (length: number) => Array.from({ length }, (_, i) => `text ${i}`)
const embed = (model: string, input: unknown, init: RequestInit = {}) =>
  fetch(`${world.url}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input }),
    ...init,
  })
interface Vectors {
  readonly data: readonly { readonly index: number; readonly embedding: readonly number[] }[]
  readonly usage?: unknown
}
async function lastLog() {
  const [row] = await world.rows('select * from log where type = 2 order by id desc limit 1')
  return row ?? {}
}

describe('more texts than a provider takes in one call', () => {
  test.each<[model: string, most: number, tokens: number | undefined]>([
    ['gemini-embedding-001', 100, undefined],
    ['embed-v4.0', 96, 300],
    ['text-embedding-v4', 10, 300],
  ])('are split for %s, at most %i each, and come back in order and as one charge', async (model, most, tokens) => {
    const before = site.seen.length
    const charges = (await world.rows('select id from log where type = 2')).length
    const reply = await embed(model, texts(150))
    expect(reply.status).toBe(200)
    const { data, usage } = (await reply.json()) as Vectors
    expect(data.map(({ index }) => index)).toEqual(data.map((_, at) => at))
    expect(data.map(({ embedding }) => embedding[0])).toEqual(texts(150).map(numberOf))
    expect(site.seen.length - before).toBe(Math.ceil(150 / most))
    if (tokens !== undefined) {
      expect(usage).toMatchObject({ prompt_tokens: tokens, total_tokens: tokens })
      expect(await lastLog()).toMatchObject({ prompt_tokens: tokens })
    }
    expect(await world.rows('select id from log where type = 2')).toHaveLength(charges + 1)
  })

  test('are sent in one call to a provider without a known limit, byte for byte', async () => {
    answer = (_, { input }) => ({
      body: { data: (input as unknown[]).map((__, index) => ({ index, embedding: [1] })) },
    })
    const before = site.seen.length
    await (await embed('home-made', texts(150))).text()
    expect(site.seen.length - before).toBe(1)
    expect(site.seen.at(-1)?.body).toBe(JSON.stringify({ model: 'home-made', input: texts(150) }))
  })

  test('are not what one text in tokens is', async () => {
    answer = () => ({ body: { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: 12, total_tokens: 12 } } })
    const before = site.seen.length
    await (await embed('text-embedding-v4', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])).text()
    expect(site.seen.length - before).toBe(1)
  })

  test('are refused by name where they would take too many calls', async () => {
    const before = site.seen.length
    const reply = await embed('amazon.titan-embed-text-v2:0', texts(257))
    expect([reply.status, await reply.json()]).toMatchObject([
      400,
      { error: { code: 'not_expressible', param: 'input', message: expect.stringContaining('at most 256 texts') } },
    ])
    expect(site.seen.length).toBe(before)
  })

  test('fail as one when one part fails, with the provider’s words and without a charge', async () => {
    answer = (path, body) => ((body as Bodies).input?.includes('text 25') ? TOO_MANY : embeds(path, body))
    const charges = (await world.rows('select id from log where type = 2')).length
    const reply = await embed('text-embedding-v4', texts(150))
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('too many')])
    expect(await world.rows('select id from log where type = 2')).toHaveLength(charges)
  })

  test('cost what finished parts had used, where errors are charged as their providers count them', async () => {
    // Four of the five parts are requested at once; the last one follows an answer.
    answer = (path, body) => ((body as Bodies).input?.includes('text 40') ? TOO_MANY : embeds(path, body))
    await world.root.call(updateOption, { body: { key: 'ErrorInAnswerPolicy', value: 'reported' } })
    expect((await embed('text-embedding-v4', texts(50))).status).toBe(400)
    await world.root.call(updateOption, { body: { key: 'ErrorInAnswerPolicy', value: 'void' } })
    const { ended, prompt_tokens: tokens } = await lastLog()
    expect(ended).toBe('error_in_answer')
    expect([20, 40, 60, 80]).toContain(tokens)
  })

  test('are answered wholly or not at all: a part with too few vectors does not count', async () => {
    answer = () => ({ body: { data: [{ index: 0, embedding: [1] }] } })
    const reply = await embed('text-embedding-v4', texts(20))
    expect([reply.status, await reply.text()]).toEqual([502, expect.stringContaining('1 vectors for 10 inputs')])
  })

  test('are not asked for any more when their client has left', async () => {
    const leave = new AbortController()
    let asked = 0
    let isStuck = () => {}
    const stuck = new Promise<void>((resolve) => (isStuck = resolve))
    answer = () => {
      asked++
      if (asked === 4) isStuck()
      return new Promise<SiteReply>(() => {})
    }
    const reply = embed('text-embedding-v4', texts(150), { signal: leave.signal }).catch(() => 'left')
    await stuck
    leave.abort()
    expect(await reply).toBe('left')
    await expect.poll(() => world.rows('select * from hold')).toEqual([])
    expect(asked).toBe(4)
  })
})
