import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BodyInput } from '@sluice/contract/route'
import { createChannel, updateChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { createUser } from '@sluice/contract/routes/users'
import { type Row, verifyLedger } from '@sluice/ledger/proof/verify'
import { type Database, openDatabase } from '@sluice/store/database'
import { sql } from 'kysely'
import { loadConfig } from '../../../apps/gateway/src/environment/environment.ts'
import { startGateway } from '../../../apps/gateway/src/main.ts'
import { createLog } from '../../../apps/gateway/src/process/logger.ts'
import { type ManagementClient, signIn } from './management-client.ts'

/** The real gateway in this process, on a fresh SQLite file, for tests that inspect its logs and ledger. */
export interface GatewayWorld {
  readonly url: string
  readonly root: ManagementClient
  readonly database: Database
  readonly log: readonly string[]
  /** Adds an OpenAI-compatible channel; each of its models costs 1 quota per prompt token and 2 per answer token. */
  addChannel(
    baseUrl: string,
    models: readonly string[],
    more?: Partial<BodyInput<typeof createChannel>>,
  ): Promise<number>
  changeChannel(change: BodyInput<typeof updateChannel>): Promise<void>
  addUser(username: string, quota: number, more?: Partial<BodyInput<typeof createUser>>): Promise<ManagementClient>
  /** Adds an unlimited token (or one with the given fields) and returns its key. */
  addToken(owner: ManagementClient, more?: Partial<BodyInput<typeof createToken>>): Promise<string>
  /** A plain chat call, changed by `body`. */
  chat(key: string, body: object, init?: RequestInit): Promise<Response>
  rows(query: string): Promise<readonly Row[]>
  /** Throws for the first wrong row, or an open hold. Waits briefly for holds that are being closed. */
  verify(): Promise<void>
  /** Shuts down the gateway; the database stays open. */
  stop(): Promise<void>
  close(): Promise<void>
}

const PASSWORD = 'world-password'
const CONSOLE_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'apps', 'console', 'dist')
/** 1 quota per prompt token, 2 per answer token. */
const PRICE = { ratio: 1, completion_ratio: 2 }
const PATIENCE_MS = 5_000

export async function openGatewayWorld(env: Readonly<Record<string, string>> = {}): Promise<GatewayWorld> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-world-'))
  const { config, problems } = loadConfig({
    PORT: '0',
    SLUICE_DATA_DIR: dataDir,
    SLUICE_ROOT_PASSWORD: PASSWORD,
    SLUICE_LOG_LEVEL: 'debug',
    SLUICE_DRAIN_TIMEOUT: '1',
    // A test sends more requests than one network may.
    SLUICE_PUBLIC_RATE_LIMIT: '0',
    ...env,
  })
  if (config === undefined) throw new Error(problems.join('\n'))
  const log: string[] = []
  const gateway = await startGateway(
    config,
    createLog(config.logLevel, { write: (line) => void log.push(line) }),
    CONSOLE_DIRECTORY,
    () => {},
  )
  const url = `http://127.0.0.1:${gateway.address.port}`
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= gateway.close())
  const root = await signIn(url, 'root', PASSWORD)
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  const rows = async (query: string) => {
    // Charges are written to the tables before the gateway answers a management call.
    if (stopped === undefined) {
      const { ok, status } = await fetch(`${url}/api/status`)
      if (!ok) throw new Error(`the gateway's status is answered with ${status}`)
    }
    return (await sql.raw<Row>(query).execute(database.kysely)).rows
  }
  return {
    url,
    root,
    database,
    log,
    rows,
    addChannel: async (baseUrl, models, more = {}) => {
      const body = {
        name: 'upstream',
        type: 50,
        key: 'upstream-key',
        base_url: baseUrl,
        models: models.join(','),
        model_configs: JSON.stringify(Object.fromEntries(models.map((model) => [model, PRICE]))),
        ...more,
      }
      await root.call(createChannel, { body })
      return Number((await rows('select max(id) as id from channel'))[0]?.['id'])
    },
    changeChannel: async (change) => {
      await root.call(updateChannel, { body: change })
    },
    addUser: async (username, quota, more = {}) => {
      await root.call(createUser, { body: { username, password: PASSWORD, quota, ...more } })
      return await signIn(url, username, PASSWORD)
    },
    addToken: async (owner, more = {}) => {
      const token = await owner.call(createToken, { body: { name: 'token', unlimited_quota: true, ...more } })
      return token.key
    },
    chat: (key, body, init = {}) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: 'Say something.' }], ...body }),
        ...init,
      }),
    verify: async () => {
      await holdsClosed(rows)
      for await (const { id, statement, firstWrong } of verifyLedger(rows, Date.now())) {
        if (firstWrong !== undefined) throw new Error(`${id} ${statement}: ${JSON.stringify(firstWrong, asText)}`)
      }
    },
    stop,
    close: async () => {
      await stop()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function holdsClosed(rows: GatewayWorld['rows']): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const open = await rows('select * from hold')
    if (open.length === 0) return
    if (Date.now() > deadline) throw new Error(`holds are open: ${JSON.stringify(open, asText)}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)
