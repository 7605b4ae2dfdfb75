// @module-tag slow
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '@sluice/store/database'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { type GatewayProcess, runSluice, startGateway } from '@sluice/testkit/gateway-process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixtureFile } from '../import/fixture.ts'
import { type CompleteAnswer, startLoad } from './load.ts'
import { mountSmallDisk } from './small-disk.ts'
import { expectNoFaults, inspect, prepareGateway } from './world.ts'

/**
 * The disk is full, or nearly, whenever the database is written. Whatever the process then does, it states the reason, and when
 * there is room again, each whole answer has been charged once.
 */
const disk = mountSmallDisk()
if (disk === undefined) {
  console.log('tests/kill/full-disk-moments.test.ts is skipped: it mounts a small disk, which this user may not')
}

const KB = 1_024
const RECOVERY_MS = 20_000
/** On a quiet machine a test takes a tenth of this. */
const PATIENCE_MS = 120_000
/** While nothing can be committed, stopping a gateway or an import takes as long as the drain. */
const DRAIN = { SLUICE_DRAIN_TIMEOUT: '2' }

let roomy: string
let dataDir: string
let emulator: Emulator
let keys: readonly string[]
let running: GatewayProcess | undefined
const answers: CompleteAnswer[] = []

beforeAll(async () => {
  if (disk === undefined) return
  roomy = await mkdtemp(join(tmpdir(), 'sluice-moments-'))
  dataDir = join(disk.folder, 'data')
  emulator = await startEmulator()
  const gateway = await start()
  keys = await prepareGateway(gateway.url, emulator.url)
})

afterAll(async () => {
  if (disk === undefined) return
  await running?.kill()
  await emulator.close()
  disk.remove()
  await rm(roomy, { recursive: true, force: true })
})

async function start(): Promise<GatewayProcess> {
  running = await startGateway({ dataDir, env: DRAIN })
  return running
}

/** Whether the gateway refuses to start and says why. */
async function isRefused(): Promise<boolean> {
  const said = await start().then(
    () => undefined,
    (error: unknown) => String(error),
  )
  if (said !== undefined) {
    expect(said).toMatch(/ended with 1:/)
    expectSentence(said)
  }
  return said !== undefined
}

async function underLoad(gateway: GatewayProcess, during: () => Promise<unknown>): Promise<void> {
  const load = startLoad(() => [gateway.url], keys)
  await load.more(40, 20_000)
  await during()
  answers.push(...(await load.stop()).answers)
}

/** Without a charge, no answer may be whole. A gateway that has just started has no reusable space in its write-ahead log. */
async function fillUnder(freeKb: number): Promise<void> {
  disk?.fill(freeKb * KB)
  await delay(700)
}

/** The previous gateway stopped cleanly, so the write-ahead log is short. */
async function startAnew(): Promise<GatewayProcess> {
  disk?.makeRoom()
  await stopped()
  return await start()
}

/** A sentence about the disk or file that an operator can act on, without a stack trace. */
function expectSentence(output: string): void {
  expect(output).toMatch(
    new RegExp(
      `The disk of ${disk?.folder}|The disk is full: .*${disk?.folder}|${disk?.folder}\\S* cannot be written|` +
        'disk of the temporary directory: it is 1 MB, and 0 MB are free|cannot be written: .* its disk is full',
    ),
  )
  expect(output).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
}

/** With room again, the gateway continues; every whole answer so far is charged once, and the ledger balances. */
async function expectAllCharged(): Promise<void> {
  disk?.makeRoom()
  const gateway = running ?? (await start())
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  try {
    expectNoFaults(await inspect(database, answers, RECOVERY_MS))
  } finally {
    await database.close()
  }
  expect(gateway.output()).not.toMatch(/a charge needs attention/)
}

async function expectProved(): Promise<void> {
  const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir })
  expect(verified, verified.output).toMatchObject({ code: 0 })
}

async function stopped(): Promise<void> {
  const gateway = running
  running = undefined
  if (gateway !== undefined) expect(await gateway.stop()).toBe(0)
}

async function killed(): Promise<void> {
  await running?.kill()
  running = undefined
}

/** Names and digests of a database's files, while nobody has it open. */
async function filesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return new Map(
    await Promise.all(files.toSorted().map(async (file) => [file, digestOf(await readFile(file))] as const)),
  )
}

async function bringBack(saved: string): Promise<void> {
  disk?.makeRoom()
  await rm(dataDir, { recursive: true, force: true })
  await cp(saved, dataDir, { recursive: true })
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe.skipIf(disk === undefined)('a disk that is full', () => {
  it(
    'at a start after a crash loses no charge, and the start that is refused says why',
    async () => {
      await underLoad(await startAnew(), async () => {
        await fillUnder(0)
        await killed()
      })
      const crashed = join(roomy, 'crashed')
      await cp(dataDir, crashed, { recursive: true })
      let refusals = 0
      for (const freeKb of [0, 64]) {
        await bringBack(crashed)
        disk?.fill(freeKb * KB)
        if (await isRefused()) refusals += 1
        await expectAllCharged()
        await killed()
      }
      expect(refusals).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )

  it(
    'while answers are charged loses none of them',
    async () => {
      await underLoad(await startAnew(), async () => {
        for (const freeKb of [0, 64]) {
          await fillUnder(freeKb)
          disk?.makeRoom()
          await delay(300)
        }
      })
      await expectAllCharged()
    },
    PATIENCE_MS,
  )

  it(
    'at a stop keeps every charge for the next start',
    async () => {
      const gateway = await startAnew()
      await underLoad(gateway, async () => {
        await fillUnder(0)
        await gateway.stop(20_000)
        running = undefined
      })
      expect(gateway.output()).toMatch(/the ledger could not reach its database/)
      await isRefused()
      await expectAllCharged()
      await stopped()
      await expectProved()
    },
    PATIENCE_MS,
  )

  it(
    'at a start after a clean stop is reported, and changes nothing',
    async () => {
      await stopped()
      disk?.fill(0)
      await isRefused()
      await expectAllCharged()
      await stopped()
    },
    PATIENCE_MS,
  )

  it(
    'during an import ends it with the reason, and the next one brings every row',
    async () => {
      await stopped()
      const before = join(roomy, 'before-import')
      await cp(dataDir, before, { recursive: true })
      const expected = await importOnce()
      expect(expected).toMatchObject({ code: 0 })
      const failures: string[] = []
      for (const freeKb of [0, 320, 640]) {
        await bringBack(before)
        disk?.fill(freeKb * KB)
        const failed = await importOnce()
        if (failed.code !== 0) {
          failures.push(failed.output)
          expectSentence(failed.output)
          expect(badRows(failed.output).filter((line) => !badRows(expected.output).includes(line))).toEqual([])
        }
        disk?.makeRoom()
        // It proves the ledger at the end.
        const again = await importOnce()
        expect(again, again.output).toMatchObject({ code: 0 })
      }
      expect(failures.join('\n')).toMatch(/The data written so far is consistent|sluice\.db is full/)
      await expectAllCharged()
      await stopped()
    },
    PATIENCE_MS,
  )

  it(
    'during a backup leaves no half of one, and the database as it was',
    async () => {
      await stopped()
      const before = await filesOf(dataDir)
      const copy = join(disk?.folder ?? '', 'copy.db')
      for (const freeKb of [0, 512]) {
        disk?.fill(freeKb * KB)
        const { code, output } = await runSluice(['backup', copy], { dataDir })
        disk?.makeRoom()
        expect(code, output).toBe(1)
        expectSentence(output)
        expect(await readdir(disk?.folder ?? '')).toEqual(['data'])
      }
      expect(await filesOf(dataDir)).toEqual(before)
      await expectProved()
    },
    PATIENCE_MS,
  )

  it(
    'during a restore leaves the database as it was, or the restore to the next start',
    async () => {
      await stopped()
      const backup = join(roomy, 'backup.db')
      expect(await runSluice(['backup', backup], { dataDir })).toMatchObject({ code: 0 })
      const before = await filesOf(dataDir)
      for (const freeKb of [0, 1_024]) {
        disk?.fill(freeKb * KB)
        const { code, output } = await runSluice(['restore', backup], { dataDir })
        disk?.makeRoom()
        expect(code, output).toBe(1)
        expectSentence(output)
        expect(await filesOf(dataDir)).toEqual(before)
      }
      await expectAllCharged()
      await stopped()
      await expectProved()
    },
    PATIENCE_MS,
  )
})

const importOnce = () => runSluice(['import', fixtureFile('one-api')], { dataDir, env: DRAIN })

const badRows = (output: string): readonly string[] => output.split('\n').filter((line) => line.startsWith('left out'))
