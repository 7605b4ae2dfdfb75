// @module-tag slow
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, startLoad } from './load.ts'
import { expectNoFaults, inspect, prepareGateway } from './world.ts'

/**
 * A gateway is backed up under load and killed, and another one continues from the backup in another folder, as on a second
 * machine. It has every charge made before the backup began, and every later charge completely or not at all.
 */
const BEFORE = 80
const WHILE = 150
const RECOVERY_MS = 20_000

let root: string
let first: string
let emulator: Emulator
let gateway: GatewayProcess
let keys: readonly string[]

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-second-life-'))
  first = join(root, 'first')
  emulator = await startEmulator()
  gateway = await startGateway({ dataDir: first })
  keys = await prepareGateway(gateway.url, emulator.url)
})

afterAll(async () => {
  await gateway.stop()
  await emulator.close()
  await rm(root, { recursive: true, force: true })
})

/** Answers completed before the backup began, and those of the load under which the gateway was killed. */
async function killAfter(
  backUp: () => Promise<void>,
): Promise<{ readonly before: Answered; readonly during: Answered }> {
  const early = startLoad(() => [gateway.url], keys)
  await early.more(BEFORE, 20_000)
  const before = await early.stop()
  const load = startLoad(() => [gateway.url], keys)
  await load.more(30, 20_000)
  await backUp()
  await load.more(WHILE, 20_000)
  await gateway.kill()
  return { before, during: await load.stop() }
}

async function restoreElsewhere(backup: string, name: string): Promise<string> {
  const dataDir = join(root, name)
  await mkdir(dataDir)
  await copyFile(join(first, 'master.key'), join(dataDir, 'master.key'))
  const restored = await runSluice(['restore', backup], { dataDir })
  expect(restored, restored.output).toMatchObject({ code: 0 })
  return dataDir
}

/** The restored gateway works, and its ledger has all answers of `before`; each answer of `during` is complete or absent. */
async function expectWhole(dataDir: string, before: Answered, during: Answered): Promise<void> {
  const second = await startGateway({ dataDir })
  for (const key of keys) {
    const response = await fetch(`${second.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'emu-fast', messages: [{ role: 'user', content: 'Still there?' }] }),
    })
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  }
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  try {
    expectNoFaults(await inspect(database, before.answers, RECOVERY_MS))
    const { charges } = await inspect(database, during.answers, RECOVERY_MS)
    const half = charges.wrong.filter(({ wrong, charges: found, logged }) => {
      return wrong !== 'uncharged' || found.length > 0 || logged.length > 0
    })
    expect(half).toEqual([])
    expect(charges.wrong.length, 'the load went on after the backup').toBeGreaterThan(0)
  } finally {
    await database.close()
  }
  expect(await second.stop()).toBe(0)
  const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir })
  expect(verified, verified.output).toMatchObject({ code: 0 })
}

describe('a second machine goes on from a backup', () => {
  it('that the command made under load', async () => {
    const backup = join(root, 'copy.db')
    const { before, during } = await killAfter(async () => {
      const made = await runSluice(['backup', backup], { dataDir: first })
      expect(made, made.output).toMatchObject({ code: 0 })
    })
    await expectWhole(await restoreElsewhere(backup, 'second'), before, during)
  })

  it('that the schedule made under load', async () => {
    const place = join(root, 'place')
    const isBackup = (name: string): boolean => name.endsWith('.db.json')
    const names = async () => (await readdir(place).catch(() => [])).filter(isBackup)
    gateway = await startGateway({ dataDir: first })
    const { before, during } = await killAfter(async () => {
      // A gateway that has made no backup yet makes one when it starts.
      await gateway.kill()
      gateway = await startGateway({ dataDir: first, env: { SLUICE_BACKUP_TO: place } })
      await expect.poll(async () => (await names()).length, { timeout: 30_000 }).toBe(1)
    })
    const listed = await runSluice(['backups', '--verify'], { dataDir: first, env: { SLUICE_BACKUP_TO: place } })
    expect(listed, listed.output).toMatchObject({ code: 0, output: expect.stringMatching(/^ok +sluice-/) })
    const [manifest = ''] = await names()
    await expectWhole(await restoreElsewhere(join(place, manifest.replace(/\.json$/, '')), 'third'), before, during)
  })
})
