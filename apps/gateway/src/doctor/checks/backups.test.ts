import type { BackupRuns } from '@sluice/store/queries/backup-runs'
import { expect, it } from 'vitest'
import { backupCheck } from './backups.ts'

const NOW = Date.UTC(2026, 10, 24, 12)
const DAY_MS = 86_400_000
const NO_RUN: BackupRuns = { first: 0, latest: 0, succeeded: 0, failed: 0, isFailing: false }

const examined = (place: string, runs: Partial<BackupRuns> = {}, mode?: number) => {
  const facts = {
    place,
    everyMs: DAY_MS,
    folderMode: async () => mode,
    runs: async () => ({ ...NO_RUN, ...runs }),
    now: () => NOW,
  }
  return backupCheck(facts).examine(new AbortController().signal)
}

it('an installation without scheduled backups is told of them', async () => {
  expect(await examined('')).toEqual([{ id: 'backups.none' }])
})

it('a backup of the last two intervals is in order', async () => {
  const succeeded = NOW - 2 * DAY_MS + 1
  expect(await examined('/backups', { first: succeeded, latest: NOW, succeeded, isFailing: true })).toEqual([
    { id: 'backups.ok', params: { place: '/backups', at: '2026-11-22 12:00 UTC' } },
  ])
})

it('backups that stopped succeeding, never did, or have not begun are found', async () => {
  const succeeded = NOW - 2 * DAY_MS
  expect(await examined('/backups', { first: 1, latest: NOW, succeeded, isFailing: true })).toEqual([
    { id: 'backups.old', params: { place: '/backups', at: '2026-11-22 12:00 UTC' } },
  ])
  expect(await examined('/backups', { first: NOW, latest: NOW, isFailing: true })).toEqual([
    { id: 'backups.failing', params: { place: '/backups' } },
  ])
  expect(await examined('/backups')).toEqual([{ id: 'backups.never', params: { place: '/backups' } }])
})

it('a folder that other users can write to is found', async () => {
  const runs = { first: NOW, latest: NOW, succeeded: NOW }
  const ids = async (mode?: number) => (await examined('/backups', runs, mode)).map(({ id }) => id)
  for (const open of [0o40770, 0o40702, 0o41777]) expect(await ids(open)).toEqual(['backups.writable'])
  for (const closed of [0o40700, 0o40755, undefined]) expect(await ids(closed)).toEqual(['backups.ok'])
})
