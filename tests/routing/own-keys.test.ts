// @module-tag slow
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChannel } from '@sluice/contract/routes/channels'
import { deleteOwnKey, listOwnKeys, putOwnKey } from '@sluice/contract/routes/own-keys'
import { createToken } from '@sluice/contract/routes/tokens'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type Site, startSite } from '@sluice/testkit/http-site'
import { signIn } from '@sluice/testkit/management-client'
import { afterAll, beforeAll, expect, test } from 'vitest'

const CANARY = 'c4n4rYc4n4rYc4n4rY'
const master = () => randomBytes(32).toString('base64')
const OLD = master()
const YOUNG = master()

let folder: string
let vendor: Site
let gateway: GatewayProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-own-keys-'))
  vendor = await startSite(({ body }) => {
    const { model } = JSON.parse(body) as { readonly model: string }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }]
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    return { body: { id: 'c', object: 'chat.completion', created: 1, model, choices, usage } }
  })
})
afterAll(async () => {
  await gateway?.stop()
  await vendor.close()
  await rm(folder, { recursive: true, force: true })
})

const envOf = (masterKey: string) => ({
  SLUICE_MASTER_KEY: masterKey,
  SLUICE_CALLER_KEY_ORIGINS: vendor.url,
})
async function start(dataDir: string, masterKey: string): Promise<GatewayProcess> {
  gateway = await startGateway({ dataDir, env: envOf(masterKey) })
  return gateway
}

async function keysSent(url: string, token: string): Promise<ReadonlySet<string>> {
  const before = vendor.seen.length
  for (let call = 0; call < 8; call++) {
    const reply = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'either', max_tokens: 5, messages: [{ role: 'user', content: 'Say yes.' }] }),
    })
    expect(reply.status).toBe(200)
    await reply.arrayBuffer()
  }
  return new Set(vendor.seen.slice(before).map(({ headers }) => String(headers.authorization)))
}

test(
  'a stored own key is used from the next call on, and outlives a rotation of the master key and a restore',
  { tags: ['S1', 'S19', 'S20'] },
  async () => {
    const first = join(folder, 'first')
    const { url } = await start(first, OLD)
    const root = await signIn(url, 'root', ROOT_PASSWORD)
    const channel = { name: 'either', type: 1, key: 'platform-key', base_url: vendor.url, models: 'either' }
    const config = '{"credentials":"caller_or_own"}'
    await root.call(createChannel, { body: { ...channel, config, model_configs: '{"either":{"ratio":1}}' } })
    const { key: token } = await root.call(createToken, { body: { name: 'mine', unlimited_quota: true } })
    expect(await keysSent(url, token)).toEqual(new Set(['Bearer platform-key']))
    const own = (more: string) => ({ vendor: 'OpenAI', key: `sk-proj-${CANARY}-${more}` })
    await root.call(putOwnKey, { body: own('one') })
    expect(await keysSent(url, token)).toEqual(new Set([`Bearer sk-proj-${CANARY}-one`]))
    await root.call(putOwnKey, { body: own('two') })
    expect(await keysSent(url, token)).toEqual(new Set([`Bearer sk-proj-${CANARY}-two`]))
    const [stored] = (await root.call(listOwnKeys)).keys
    await root.call(deleteOwnKey, { path: { id: stored?.id ?? 0 } })
    expect(await keysSent(url, token)).toEqual(new Set(['Bearer platform-key']))
    await root.call(putOwnKey, { body: own('three') })
    await gateway?.stop()

    const both = envOf(`${YOUNG},${OLD}`)
    const rotated = await runSluice(['keys', 'rotate'], { dataDir: first, env: both })
    expect(rotated.output).toMatch(/own_key\.key_sealed +1 encrypted again/)
    const backup = join(folder, 'backup.db')
    const env = envOf(YOUNG)
    expect(await runSluice(['backup', backup], { dataDir: first, env })).toMatchObject({ code: 0 })
    const exported = join(folder, 'exported')
    expect(await runSluice(['export', exported], { dataDir: first, env })).toMatchObject({ code: 0 })
    const second = join(folder, 'second')
    expect(await runSluice(['restore', backup], { dataDir: second, env })).toMatchObject({ code: 0 })
    const restored = await start(second, YOUNG)
    expect(await keysSent(restored.url, token)).toEqual(new Set([`Bearer sk-proj-${CANARY}-three`]))

    for (const { parentPath, name } of await readdir(folder, { withFileTypes: true, recursive: true })) {
      const bytes = await readFile(join(parentPath, name)).catch(() => Buffer.alloc(0))
      expect([name, bytes.includes(CANARY)]).toEqual([name, false])
    }
    expect(restored.output()).not.toContain(CANARY)
  },
)
