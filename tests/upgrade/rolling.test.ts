// @module-tag slow
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { replyProblems } from '@sluice/contract/reply-problems'
import { ROUTES } from '@sluice/contract/routes/all'
import { createToken } from '@sluice/contract/routes/tokens'
import { type Database, openDatabase } from '@sluice/store/database'
import { openSqliteConnection } from '@sluice/store/sqlite/connection'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, ROOT_PASSWORD, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { type LocalPostgres, startLocalPostgres } from '@sluice/testkit/local-postgres'
import { type ManagementClient, signIn } from '@sluice/testkit/management-client'
import { administer, databaseUrl } from '@sluice/testkit/postgres-databases'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readReply } from '../../apps/console/src/lib/http/read-reply.ts'
import { findCharges } from '../kill/charges.ts'
import { startLoad } from '../kill/load.ts'
import { expectNoFaults, inspect, prepareGateway } from '../kill/world.ts'
import { buildPreviousVersion, PREVIOUS_COMMIT, type PreviousVersion } from './previous-version.ts'

/** Holds of a process that shut down in order are closed at once, but two busy cores need longer for everything. */
const PATIENCE_MS = 60_000
/** Number of kills until the record log should contain charges: on a busy machine their rows can be in the tables before. */
const TRIES = 6

type OwnCalls = NonNullable<Parameters<typeof prepareGateway>[2]>

const previous = await buildPreviousVersion()
if (previous === undefined) {
  console.log(`skipped: upgrades from the previous version, whose commit ${PREVIOUS_COMMIT} is not in this clone`)
}

afterAll(() => previous?.remove())

describe.skipIf(previous === undefined)('an upgrade from the version before', () => {
  const { program, source } = previous as PreviousVersion
  let emulator: Emulator
  let dataDir: string
  beforeAll(async () => {
    emulator = await startEmulator()
    dataDir = await mkdtemp(join(tmpdir(), 'sluice-upgrade-'))
  })
  afterAll(async () => {
    await emulator.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const prepareOld = async (url: string): Promise<readonly string[]> => {
    const routes = source('packages/contract/src/routes')
    const [{ createChannel }, { createToken }] = (await Promise.all([
      import(join(routes, 'channels.ts')),
      import(join(routes, 'tokens.ts')),
    ])) as [Pick<OwnCalls, 'createChannel'>, Pick<OwnCalls, 'createToken'>]
    return await prepareGateway(url, emulator.url, { createChannel, createToken })
  }

  const provedIn = async (open: () => Promise<Database>, answers: Parameters<typeof inspect>[1]): Promise<void> => {
    const database = await open()
    try {
      expectNoFaults(await inspect(database, answers, PATIENCE_MS))
    } finally {
      await database.close()
    }
  }

  test('of a SQLite file is tried on a copy, then made by the start; keys work on, and every answer stays charged', async () => {
    const old = await startGateway({ dataDir, program })
    const keys = await prepareOld(old.url)
    const before = startLoad(() => [old.url], keys)
    await before.more(100, PATIENCE_MS)
    const tried = await runSluice(['migrate', '--dry-run'], { dataDir })
    expect(tried, tried.output).toMatchObject({ code: 0 })
    const first = await before.stop()
    expect(await old.stop()).toBe(0)

    const renewed = await startGateway({ dataDir })
    const after = startLoad(() => [renewed.url], keys)
    await after.more(100, PATIENCE_MS)
    const second = await after.stop()
    expect(await renewed.stop()).toBe(0)
    await provedIn(
      () => openDatabase({ sqliteFile: join(dataDir, 'sluice.db') }),
      [...first.answers, ...second.answers],
    )
    const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir })
    expect(verified, verified.output).toMatchObject({ code: 0 })
  })

  describe('of a SQLite file whose record log still holds charges', () => {
    const folder = (name: string): string => join(dataDir, name)
    const open = (name: string) => openDatabase({ sqliteFile: join(folder(name), 'sluice.db') })
    const recordFilesIn = async (name: string): Promise<readonly string[]> =>
      (await readdir(folder(name))).filter((file) => file.includes('.records-'))
    let answers: Parameters<typeof inspect>[1]
    let answersBeforeCopy: Parameters<typeof inspect>[1]

    /** A consistent copy of the tables by another program, then the record log: what a file manager or a script might copy. */
    const copyRunning = async (): Promise<void> => {
      await mkdir(folder('copied'))
      const beside = openSqliteConnection(join(folder('crashed'), 'sluice.db'))
      beside.exec(`vacuum into '${join(folder('copied'), 'sluice.db')}'`)
      beside.close()
      for (const file of ['master.key', ...(await recordFilesIn('crashed'))]) {
        await copyFile(join(folder('crashed'), file), join(folder('copied'), file))
      }
    }

    /** The previous version wrote the rows of such answers to the tables within a tenth of a second. */
    const answerAtOnce = (url: string, key: string): Promise<typeof answers> =>
      Promise.all(
        Array.from({ length: 12 }, async () => {
          const response = await fetch(`${url}/v1/chat/completions`, {
            method: 'POST',
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: JSON.stringify({ model: 'emu-fast', messages: [{ role: 'user', content: 'Is the gate open?' }] }),
          })
          const { usage } = (await response.json()) as Pick<(typeof answers)[number], 'usage'>
          return { requestId: response.headers.get('x-request-id') ?? '', model: 'emu-fast', usage }
        }),
      )

    beforeAll(async () => {
      await mkdir(folder('crashed'))
      const old = await startGateway({ dataDir: folder('crashed'), program })
      const keys = await prepareOld(old.url)
      const load = startLoad(() => [old.url], keys)
      await load.more(100, PATIENCE_MS)
      const { answers: earlier } = await load.stop()
      answersBeforeCopy = [...earlier, ...(await answerAtOnce(old.url, keys[0] ?? ''))]
      await copyRunning()
      answers = [...answersBeforeCopy, ...(await answerAtOnce(old.url, keys[0] ?? ''))]
      await old.kill()
      for (let tries = 1; (await unchargedInCopy()) === 0 && tries < TRIES; tries += 1) {
        const again = await startGateway({ dataDir: folder('crashed'), program })
        answers = [...answers, ...(await answerAtOnce(again.url, keys[0] ?? ''))]
        await again.kill()
      }
    })

    /** Uses a copy, because reading changes the file. */
    const unchargedInCopy = async (): Promise<number> => {
      await rm(folder('looked-at'), { recursive: true, force: true })
      await cp(folder('crashed'), folder('looked-at'), { recursive: true })
      return await uncharged('looked-at', answers)
    }

    const uncharged = async (name: string, of: typeof answers): Promise<number> => {
      const database = await open(name)
      try {
        return (await findCharges(database, of)).wrong.length
      } finally {
        await database.close()
      }
    }

    const startsAndProves = async (name: string, of: typeof answers): Promise<void> => {
      const renewed = await startGateway({ dataDir: folder(name) })
      await provedIn(() => open(name), of)
      expect(await recordFilesIn(name)).toEqual([])
      expect(renewed.output()).not.toMatch(/a charge needs attention/)
      expect(await renewed.stop()).toBe(0)
      const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir: folder(name) })
      expect(verified, verified.output).toMatchObject({ code: 0 })
    }

    test('charges each of them once, although starts are killed in the middle, and removes the record log', async () => {
      expect(await unchargedInCopy()).toBeGreaterThan(0)
      for (const ms of [200, 350, 500, 650, 800]) {
        const killed = spawn(process.execPath, [process.env['SLUICE_TEST_GATEWAY'] ?? '', 'serve'], {
          env: { PORT: '0', SLUICE_DATA_DIR: folder('crashed') },
        })
        const exit = once(killed, 'exit')
        await delay(ms)
        killed.kill('SIGKILL')
        await exit
      }
      await startsAndProves('crashed', answers)
    })

    test('charges each of them once in a copy of a running gateway', () => startsAndProves('copied', answersBeforeCopy))
  })

  describe('of replicas on PostgreSQL, one after the other', () => {
    let server: LocalPostgres
    let env: Readonly<Record<string, string>>
    let old: GatewayProcess | undefined
    let renewed: GatewayProcess | undefined
    const urls = () => [old, renewed].map((gateway) => gateway?.url ?? '')
    let keys: readonly string[]
    beforeAll(async () => {
      server = await startLocalPostgres()
      await administer(server.url, 'create database sluice')
      env = {
        DATABASE_URL: databaseUrl(server.url, 'sluice'),
        SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
      }
      old = await startGateway({ dataDir, env, program })
      keys = await prepareOld(old.url)
      renewed = await startGateway({ dataDir, env })
    })
    afterAll(async () => {
      await Promise.all([old?.stop(), renewed?.stop()])
      await server.stop()
    })

    const bothSignedIn = async (): Promise<readonly [ManagementClient, ManagementClient]> => [
      await signIn(urls()[0] ?? '', 'root', ROOT_PASSWORD),
      await signIn(urls()[1] ?? '', 'root', ROOT_PASSWORD),
    ]

    test('charges every answer while both versions serve', async () => {
      const load = startLoad(urls, keys)
      await load.more(200, PATIENCE_MS)
      const { answers } = await load.stop()
      expect(answers.length).toBeGreaterThan(100)
      await provedIn(() => openDatabase({ url: env['DATABASE_URL'] ?? '' }), answers)
    })

    test('lets sessions and new keys of one version work on the other', async () => {
      const [there, here] = await bothSignedIn()
      const [oldUrl = '', newUrl = ''] = urls()
      expect(await replyOf(newUrl, there, '/api/user/self')).toMatchObject({ success: true })
      expect(await replyOf(oldUrl, here, '/api/user/self')).toMatchObject({ success: true })
      const { key } = await here.call(createToken, { body: { name: 'of the new one', unlimited_quota: true } })
      const status = async () => {
        const response = await fetch(`${oldUrl}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'emu-fast', messages: [{ role: 'user', content: 'Is the gate open?' }] }),
        })
        await response.text()
        return response.status
      }
      await expect.poll(status, { timeout: PATIENCE_MS }).toBe(200)
    })

    test('gives the console of either version what it can read from the other', async () => {
      const before = (await import(source('packages/contract/src/routes/all.ts'))) as { ROUTES: typeof ROUTES }
      const { replyProblems: formerProblems } = (await import(source('packages/contract/src/reply-problems.ts'))) as {
        replyProblems: typeof replyProblems
      }
      const [there, here] = await bothSignedIn()
      const askedIn = (routes: typeof ROUTES) =>
        routes.filter(({ spec }) => spec.method === 'GET' && spec.data !== undefined && !spec.path.includes(':'))
      const known = new Set(askedIn(ROUTES).map(({ spec }) => spec.path))
      const shared = askedIn(before.ROUTES).filter(({ spec }) => known.has(spec.path))
      expect(shared.length).toBeGreaterThan(25)
      for (const { spec } of shared) {
        const reply = await replyOf(urls()[1] ?? '', here, spec.path)
        // Only calls that both versions answer without further input.
        if (reply.success !== true) continue
        expect({ path: spec.path, problems: formerProblems(spec, reply) }).toEqual({ path: spec.path, problems: [] })
      }
      for (const { spec } of askedIn(ROUTES)) {
        const reply = await replyOf(urls()[0] ?? '', there, spec.path)
        if (reply.success !== true || spec.data === undefined) continue
        expect(readReply(spec.data, reply.data), spec.path).toBeDefined()
      }
    })

    test('ends the old replica in order while its clients stream, and the new one takes them', async () => {
      const load = startLoad(urls, keys)
      await load.more(60, PATIENCE_MS)
      expect(await old?.stop(PATIENCE_MS)).toBe(0)
      await load.more(60, PATIENCE_MS)
      const { answers } = await load.stop()
      await provedIn(() => openDatabase({ url: env['DATABASE_URL'] ?? '' }), answers)
      const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir, env })
      expect(verified, verified.output).toMatchObject({ code: 0 })
    })
  })
})

interface Reply {
  readonly success?: boolean
  readonly data?: unknown
}

async function replyOf(url: string, client: ManagementClient, path: string): Promise<Reply> {
  const response = await fetch(`${url}${path}`, { headers: { cookie: client.cookie } })
  const text = await response.text()
  try {
    return JSON.parse(text) as Reply
  } catch {
    return {}
  }
}
