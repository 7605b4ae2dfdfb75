import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, startGateway } from '@sluice/testkit/gateway-process'
import { signIn } from '@sluice/testkit/management-client'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Enough for 40 simultaneous requests, with 80 connections. */
const OPEN_FILES = 256
const FITTING = 40
const STREAMS = 300
const MODEL = 'emu-pace-20-80'

let dataDir: string
let emulator: Emulator
let gateway: GatewayProcess

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-files-'))
  emulator = await startEmulator()
  gateway = await startGateway({ dataDir, openFiles: OPEN_FILES, env: { SLUICE_QUEUE_TIMEOUT: '1' } })
})
afterAll(async () => {
  await gateway.stop()
  await emulator.close()
  await rm(dataDir, { recursive: true, force: true })
})

test(
  'more streams than files may be open: those that fit are whole, the others are refused, and no channel is blamed for it',
  { tags: 'S49', timeout: 60_000 },
  async () => {
    const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
    const prices = JSON.stringify({ [MODEL]: { ratio: 1, completion_ratio: 2 } })
    const channel = { name: 'emulator', type: 50, key: 'sk-emu', base_url: emulator.url, models: MODEL }
    await root.call(createChannel, { body: { ...channel, model_configs: prices } })
    const { key } = await root.call(createToken, { body: { name: 'token', unlimited_quota: true } })
    const stream = async (): Promise<string> => {
      try {
        const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: MODEL, stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
        })
        const text = await reply.text()
        if (reply.status === 200) return text.trimEnd().endsWith('data: [DONE]') ? 'whole' : 'cut'
        const { error } = JSON.parse(text) as { error: { code: string } }
        return `${reply.status} ${error.code}`
      } catch {
        return 'closed'
      }
    }
    const counts: Record<string, number> = {}
    for (const result of await Promise.all(Array.from({ length: STREAMS }, stream))) {
      counts[result] = (counts[result] ?? 0) + 1
    }
    const { whole = 0, closed = 0, '503 overloaded': refused = 0, ...others } = counts
    expect(others).toEqual({})
    expect([whole >= FITTING, whole + closed + refused], JSON.stringify(counts)).toEqual([true, STREAMS])
    expect(await stream()).toBe('whole')
    expect(gateway.output()).toContain('concurrent requests are limited below SLUICE_MAX_REQUESTS')
    // All connections come from one network, so its share may run out before the file limit. The log says so a second later.
    if (closed > 0)
      await expect.poll(() => gateway.output()).toContain('connections were closed before a request arrived')
  },
)
