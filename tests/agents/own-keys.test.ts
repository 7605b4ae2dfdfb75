import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChannel } from '@sluice/contract/routes/channels'
import { updateOption } from '@sluice/contract/routes/options'
import { createToken } from '@sluice/contract/routes/tokens'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type Site, type SiteReply, type SiteRequest, startSite } from '@sluice/testkit/http-site'
import { signIn } from '@sluice/testkit/management-client'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** A caller's own key must not appear in the process's output. See also `caller-credential.security.test.ts`. */
const CANARY = 'c4n4rYc4n4rYc4n4rY'
const OWN_KEY = `sk-proj-${CANARY}`
const MANY = 12

let dataDir: string
let vendor: Site
let elsewhere: Site
let gateway: GatewayProcess
let key: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-own-'))
  vendor = await startSite(answer)
  elsewhere = await startSite(answer)
  const env = {
    SLUICE_LOG_LEVEL: 'trace',
    SLUICE_CALLER_KEY_ORIGINS: vendor.url,
  }
  gateway = await startGateway({ dataDir, env })
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  const add = (base_url: string, models: readonly string[], more: object = {}) => {
    const model_configs = JSON.stringify(Object.fromEntries(models.map((model) => [model, { ratio: 1 }])))
    const named = { name: 'vendor', type: 1, key: 'unused', base_url, models: models.join(','), model_configs }
    return root.call(createChannel, { body: { ...named, ...more } })
  }
  await add(vendor.url, ['own', 'moved', 'down'], { priority: 9, config: '{"credentials":"caller"}' })
  await add(elsewhere.url, ['down', 'plain'])
  await root.call(updateOption, { body: { key: 'ModelFallbacks', value: '{"down":["plain"]}' } })
  key = (await root.call(createToken, { body: { name: 'agent', unlimited_quota: true } })).key
})
afterAll(async () => {
  await gateway.stop()
  await Promise.all([vendor.close(), elsewhere.close()])
  await rm(dataDir, { recursive: true, force: true })
})

function answer({ path, headers, body }: SiteRequest): SiteReply {
  const { model } = JSON.parse(body || '{}') as { readonly model?: string }
  const error = { type: 'authentication_error', message: `${headers.authorization} is not known` }
  if (headers.authorization?.includes('refused') === true) return { status: 401, body: { error } }
  if (model === 'moved') return { status: 307, headers: { location: `${elsewhere.url}${path}` } }
  if (model === 'down') return { status: 500, body: { error: { message: `out of order: ${headers.authorization}` } } }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  return { body: { id: 'c', object: 'chat.completion', created: 1, model, choices, usage } }
}

/** One request on a new connection. */
function chat(model: string, own = OWN_KEY): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-sluice-key': key, authorization: `Bearer ${own}`, 'content-type': 'application/json' }
    const options = { method: 'POST', headers, agent: false }
    const sent = request(`${gateway.url}/v1/chat/completions`, options, (reply) => {
      let body = ''
      reply.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body }))
    })
    sent.on('error', reject).end(JSON.stringify({ model, messages: [{ role: 'user', content: 'Say yes.' }] }))
  })
}

async function statusesOf(model: string, own?: string): Promise<readonly number[]> {
  const replies = await Promise.all(Array.from({ length: MANY }, () => chat(model, own)))
  expect(replies.map(({ body }) => body).join('\n')).not.toContain(CANARY)
  return [...new Set(replies.map(({ status }) => status))]
}

test('a caller’s own key reaches its vendor and nothing else, is neither kept nor logged', { tags: 'S1' }, async () => {
  expect(await statusesOf('own')).toEqual([200])
  expect(vendor.seen).toHaveLength(MANY)
  for (const { headers } of vendor.seen) expect(headers.authorization).toBe(`Bearer ${OWN_KEY}`)
  expect(await statusesOf('own', `${OWN_KEY}-refused`)).toEqual([401])
  // One caller's key reveals nothing about those of others.
  expect(await statusesOf('own')).toEqual([200])
  expect(await statusesOf('moved')).toEqual([502])
  const down = await statusesOf('down')
  expect(down.every((status) => status >= 500)).toBe(true)
  expect(await statusesOf('plain')).toEqual([400])
  expect(elsewhere.seen).toEqual([])

  await gateway.stop()
  expect(gateway.output()).toContain('"code":"caller_credential_refused"')
  // The buffer still has all output.
  expect(gateway.output().length).toBeLessThan(65_536)
  expect(gateway.output()).not.toContain(CANARY)
  const files = (await readdir(dataDir, { withFileTypes: true, recursive: true })).filter((each) => each.isFile())
  expect(files.map(({ name }) => name)).toContain('sluice.db')
  for (const { parentPath, name } of files) {
    expect([name, (await readFile(join(parentPath, name))).includes(CANARY)]).toEqual([name, false])
  }
  expect(await runSluice(['ledger', 'verify'], { dataDir })).toMatchObject({ code: 0 })
})
