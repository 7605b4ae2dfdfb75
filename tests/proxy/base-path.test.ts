// @module-tag slow
import { examine } from '@sluice/contract/routes/doctor'
import { updateOption } from '@sluice/contract/routes/options'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayWorld, openGatewayWorld } from '@sluice/testkit/gateway-world'
import { belowPath, type LocalNginx, startLocalNginx } from '@sluice/testkit/local-nginx'
import { openRealtimeClient } from '@sluice/testkit/realtime-client'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** `/ai` on a host belongs to the gateway; the other paths belong to other programs. */
describe.each(['passed on', 'removed'] as const)('behind nginx, with the path %s', (form) => {
  let emulator: Emulator
  let world: GatewayWorld
  let nginx: LocalNginx
  let key = ''
  beforeAll(async () => {
    emulator = await startEmulator()
    world = await openGatewayWorld({ SLUICE_BASE_PATH: '/ai', SLUICE_TRUSTED_PROXIES: '127.0.0.1' })
    nginx = await startLocalNginx([world.url], { change: belowPath('/ai', form) })
    await world.addChannel(emulator.url, ['emu-fast'])
    key = await world.addToken(world.root)
  }, 60_000)
  afterAll(async () => {
    await world.verify()
    await nginx.stop()
    await world.close()
    await emulator.close()
  })

  const ask = (path: string, init: RequestInit = {}) => fetch(nginx.url + path, { redirect: 'manual', ...init })
  const post = (headers: Readonly<Record<string, string>>, body: object): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

  it('the official client lists, asks and streams', async () => {
    const openai = new OpenAI({ apiKey: key, baseURL: `${nginx.url}/ai/v1`, maxRetries: 0 })
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['emu-fast'])
    const messages = [{ role: 'user' as const, content: 'How does a lock fill?' }]
    const plain = await openai.chat.completions.create({ model: 'emu-fast', messages })
    const stream = await openai.chat.completions.create({ model: 'emu-fast', messages, stream: true })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    expect(text).toBe(plain.choices[0]?.message.content)
    expect(text).not.toBe('')
  })

  it('the paths of other vendors’ clients lead to their calls', async () => {
    const anthropic = { model: 'emu-fast', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }
    const said = await ask('/ai/v1/messages', post({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }, anthropic))
    expect(await said.json()).toMatchObject({ type: 'message', role: 'assistant' })
    const gemini = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }
    const path = '/ai/v1beta/models/emu-fast:generateContent'
    expect(await (await ask(path, post({ 'x-goog-api-key': key }, gemini))).json()).toHaveProperty('candidates')
  })

  it('a websocket opens and carries a response', async () => {
    const headers = { authorization: `Bearer ${key}` }
    const client = await openRealtimeClient(`${nginx.url}/ai/v1/responses`, [], { headers })
    client.send({ type: 'response.create', model: 'emu-fast', input: 'Hi', store: false })
    expect(await client.take('response.completed')).toMatchObject({ response: { status: 'completed' } })
    await client.close()
  })

  it('the page and every file that it names arrive, at any path of the console', async () => {
    for (const path of ['/ai/', '/ai/logs?page=2']) {
      const page = await ask(path, { headers: { accept: 'text/html' } })
      expect(page.headers.get('content-security-policy')).toContain("base-uri 'none'")
      const names = [...(await page.text()).matchAll(/ (?:src|href)="([^"]+)"/g)].map(([, name = '']) => name)
      expect(names.length).toBeGreaterThan(4)
      for (const name of names) {
        expect(name).toMatch(/^\/ai\/(?!\/)/)
        const file = await ask(name)
        expect(file.status, name).toBe(200)
        expect(file.headers.get('content-type'), name).not.toContain('html')
      }
    }
  })

  it('cookies are sent to the gateway only, and open it', { tags: 'S34' }, async () => {
    const credentials = { username: 'root', password: 'world-password' }
    const entered = await ask('/ai/api/user/login', post({}, credentials))
    const cookies = entered.headers.getSetCookie()
    const paths = cookies.map((cookie) => /^(\w+)=.*; Path=([^;]+)/.exec(cookie)?.slice(1))
    expect(paths).toEqual([
      ['session', '/ai'],
      ['known_device', '/ai/api'],
    ])
    const cookie = cookies[0]?.split(';')[0] ?? ''
    const whoAmI = await ask('/ai/api/user/self', { headers: { cookie } })
    expect(await whoAmI.json()).toMatchObject({ success: true, data: { username: 'root' } })
    const foreign = await ask('/ai/api/user/logout', { headers: { cookie, 'sec-fetch-site': 'same-site' } })
    expect(await foreign.json()).toMatchObject({ success: false })
    const left = await ask('/ai/api/user/logout', { headers: { cookie } })
    expect(left.headers.getSetCookie()[0]).toMatch(/^session=; .*Path=\/ai(;|$)/)
  })

  it('monitoring finds its pages with the path and, past the proxy, without it', async () => {
    for (const url of [`${nginx.url}/ai`, `${world.url}/ai`, world.url]) {
      expect((await fetch(`${url}/healthz`)).status, url).toBe(200)
      expect((await fetch(`${url}/readyz`)).status, url).toBe(200)
    }
  })

  it('the path alone gets its slash, and what only looks like it is not the gateway’s', { tags: 'S8' }, async () => {
    const bare = await ask('/ai')
    expect([301, 307]).toContain(bare.status)
    expect(new URL(bare.headers.get('location') ?? '', nginx.url).href).toBe(`${nginx.url}/ai/`)
    for (const path of ['/aix/api/status', '/api/status', '/', '/v1/models']) {
      expect((await ask(path)).status, path).toBe(404)
    }
    // Each of the two removes it at most once.
    const twice = await (await ask('/ai/ai/api/status')).text()
    expect(twice.includes('"success":true')).toBe(form === 'removed')
    expect(await (await ask('/ai/ai/ai/api/status')).text()).not.toContain('"success":true')
  })

  it('the doctor sees that the address has the path, and that it lacks it', async () => {
    const examined = async (value: string) => {
      await world.root.call(updateOption, { body: { key: 'ServerAddress', value } })
      const { findings } = await world.root.call(examine, {})
      return findings.filter(({ check }) => check === 'address' || check === 'proxy').map(({ id }) => id)
    }
    expect(await examined(`${nginx.url}/ai`)).toEqual(['address.ok', 'proxy.ok'])
    expect(await examined(nginx.url)).toEqual(expect.arrayContaining(['address.path_differs', 'address.elsewhere']))
  })
})
