import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { removeWorkingCopy, sweepWorkingCopies, THIS_PROCESS, type Worker, workingCopy } from './working-copy.ts'

const NOW = Date.UTC(2026, 10, 28)
const HOUR_MS = 3_600_000
const worker: Worker = { machine: 'pod-7', pid: 40, isAlive: (pid) => pid === 40 || pid === 41, now: () => NOW }

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-working-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const base = () => join(folder, 'sluice.db.restoring')
async function write(names: readonly string[], writtenAt = NOW): Promise<void> {
  for (const name of names) {
    await writeFile(join(folder, name), '')
    await utimes(join(folder, name), writtenAt / 1_000, writtenAt / 1_000)
  }
}

it('what a process that has ended left is removed, and what a living one works on is not', async () => {
  const living = ['sluice.db.restoring-pod-7-40', 'sluice.db.restoring-pod-7-41-wal']
  const others = ['sluice.db', 'sluice.db.restoring', 'sluice.db.restoring-wal', 'sluice.db.restoring-notes']
  await write([...living, ...others])
  const ended = ['', '-wal', '-shm', '-migrated', '-migrated-wal', '.before-0030-record-log']
  await write(ended.map((end) => `sluice.db.restoring-pod-7-39${end}`))
  await sweepWorkingCopies(base(), worker)
  expect((await readdir(folder)).toSorted()).toEqual([...living, ...others].toSorted())
})

it('what another machine works on is left for a day', async () => {
  await write(['sluice.db.restoring-pod-8-39'], NOW - 23 * HOUR_MS)
  await write(['sluice.db.restoring-pod-9-39'], NOW - 25 * HOUR_MS)
  await sweepWorkingCopies(base(), worker)
  expect(await readdir(folder)).toEqual(['sluice.db.restoring-pod-8-39'])
})

it('a copy is removed with all files of it, and a folder that does not exist has none', async () => {
  const copy = workingCopy(base(), worker)
  await write(
    ['', '-wal', '-migrated-shm', '.before-0030-record-log', '0'].map((end) => `sluice.db.restoring-pod-7-40${end}`),
  )
  await removeWorkingCopy(copy)
  expect(await readdir(folder)).toEqual(['sluice.db.restoring-pod-7-400'])
  await sweepWorkingCopies(join(folder, 'none', 'sluice.db.restoring'), worker)
})

it('this process lives, and one that has ended does not', () => {
  expect(THIS_PROCESS.isAlive(process.pid)).toBe(true)
  expect(THIS_PROCESS.isAlive(2 ** 30)).toBe(false)
})
