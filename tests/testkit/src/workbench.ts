import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BodyInput } from '@sluice/contract/route'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { type Emulator, startEmulator } from './emulator/server.ts'
import { type GatewayProcess, ROOT_PASSWORD, startGateway } from './gateway-process.ts'
import { type ManagementClient, signIn } from './management-client.ts'

/** The whole product on a fresh database: the real gateway as a process, a provider emulator, root signed in. */
export interface Workbench {
  readonly gateway: GatewayProcess
  readonly emulator: Emulator
  readonly dataDir: string
  readonly root: ManagementClient
  /** Adds a channel to the emulator, with emulator models that cost 1 quota per prompt token and 2 per answer token. */
  addChannel(models: readonly string[], more?: Partial<BodyInput<typeof createChannel>>): Promise<void>
  /** Adds an unlimited token of root's (or one with the given fields) and returns its key. */
  addToken(more?: Partial<BodyInput<typeof createToken>>): Promise<string>
  chat(key: string, body: object, signal?: AbortSignal): Promise<Response>
  close(): Promise<void>
}

/** `seed` fills the data folder before the gateway starts. */
export async function openWorkbench(
  env: Readonly<Record<string, string>> = {},
  seed?: (dataDir: string, emulatorUrl: string) => Promise<void>,
): Promise<Workbench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-workbench-'))
  const emulator = await startEmulator()
  await seed?.(dataDir, emulator.url)
  const own = {
    SLUICE_LOG_LEVEL: 'warn',
    SLUICE_CALLER_KEY_ORIGINS: emulator.url,
    // All tests come from one address, and send requests fast.
    SLUICE_PUBLIC_RATE_LIMIT: '0',
  }
  const gateway = await startGateway({ dataDir, env: { ...own, ...env } })
  const root = await signIn(gateway.url, 'root', ROOT_PASSWORD)
  return {
    gateway,
    emulator,
    dataDir,
    root,
    addChannel: async (models, more = {}) => {
      await root.call(createChannel, {
        body: {
          name: 'emulator',
          type: 50,
          key: 'sk-emulator',
          base_url: emulator.url,
          models: models.join(','),
          model_configs: JSON.stringify(Object.fromEntries(models.map((model) => [model, PRICE]))),
          ...more,
        },
      })
    },
    addToken: async (more = {}) => {
      const token = await root.call(createToken, { body: { name: 'workbench', unlimited_quota: true, ...more } })
      return token.key
    },
    chat: (key, body, signal) =>
      fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal ? { signal } : {}),
      }),
    close: async () => {
      await gateway.stop()
      await emulator.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** 1 quota per prompt token, 2 per answer token. */
const PRICE = { ratio: 1, completion_ratio: 2 }
