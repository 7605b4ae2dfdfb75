import type { Found } from '@sluice/contract/findings/catalogue'
import { describe, expect, it } from 'vitest'
import type { Check } from '../check.ts'
import type { KnownReplica, ReplicaFacts } from '../replica-facts.ts'
import { clockCheck } from './clock.ts'
import { databaseCheck } from './database.ts'
import { diskCheck, type FileFacts, type FolderFacts } from './disk.ts'
import { machineCheck } from './machine.ts'
import { replicaCheck } from './replicas.ts'

const NOW = Date.UTC(2026, 10, 24, 12)
const DAY_MS = 86_400_000
const GB = 1_000_000_000

const FACTS: ReplicaFacts = {
  version: '1.0.0',
  keyIds: ['aaaaaaaa'],
  settings: { SLUICE_BODY_LIMIT: '1' },
  aheadMs: 0,
  steppedMs: 0,
  fileLimit: 0,
  requests: { wanted: 10, admitted: 10, enoughFiles: 136 },
  memoryLimit: 0,
  bodyMemory: 500_000_000,
  cores: 4,
  uncharged: 0,
}
const replica = (id: string, facts: Partial<ReplicaFacts> = {}): KnownReplica => ({ id, facts: { ...FACTS, ...facts } })
const examined = (check: Check): Promise<readonly Found[]> => check.examine(new AbortController().signal)

describe('clocks', () => {
  const clock = async (facts: {
    readonly aheadMs?: number
    readonly replicas?: readonly KnownReplica[]
    readonly log?: number
  }) =>
    await examined(
      clockCheck({
        machine: 'here',
        own: () => NOW + (facts.aheadMs ?? 0),
        steady: () => 0,
        databaseTime: async () => NOW,
        newestRows: async () => ({ log: facts.log ?? NOW, session: NOW - DAY_MS, audit: 0 }),
        replicas: async () => facts.replicas ?? [],
      }),
    )

  it('that agree are in order', async () => {
    expect(await clock({ aheadMs: 1_500, replicas: [replica('a')] })).toEqual([{ id: 'clock.ok' }])
  })

  it('of this machine that are wrong are found, ahead or behind', async () => {
    const found = { id: 'clock.differs', subject: 'here', params: { seconds: 3_600 } }
    expect(await clock({ aheadMs: 3_600_000 })).toEqual([found])
    expect(await clock({ aheadMs: -3_600_000 })).toEqual([found])
  })

  it('of replicas that are wrong or were set are found', async () => {
    const id = `host:42:${'0'.repeat(32)}`
    expect(await clock({ replicas: [replica(id, { aheadMs: -5_000 }), replica('b', { steppedMs: 60_000 })] })).toEqual([
      { id: 'clock.differs', subject: 'host:42', params: { seconds: 5 } },
      { id: 'clock.jumped', subject: 'b', params: { seconds: 60 } },
    ])
    expect(await clock({ replicas: [replica('here:42', { aheadMs: -5_000 })] })).toEqual([{ id: 'clock.ok' }])
  })

  it('that were ahead leave rows from the future', async () => {
    expect(await clock({ log: NOW + 30 * DAY_MS })).toEqual([
      { id: 'clock.rows_ahead', subject: 'log', params: { until: '2026-12-24 12:00 UTC' } },
    ])
  })
})

describe('the data folder', () => {
  const file = (name: string, more: Partial<FileFacts> = {}): FileFacts => ({
    name,
    bytes: 1_000_000,
    mode: 0o100600,
    changedMs: NOW,
    ...more,
  })
  const disk = async (folder: Partial<FolderFacts>, temporaryBytes = 100 * GB) =>
    await examined(
      diskCheck({
        dataFolder: async () => ({
          path: '/data',
          freeBytes: 100 * GB,
          type: 0xef53,
          mode: 0o40700,
          files: [],
          ...folder,
        }),
        temporaryFolder: async () => ({ path: '/tmp', freeBytes: temporaryBytes }),
        databaseFile: 'sluice.db',
        now: () => NOW,
      }),
    )

  it('in order names its space', async () => {
    const files = [file('sluice.db'), file('sluice.db-wal'), file('master.key', { bytes: 45 }), file('import/x')]
    expect(await disk({ files })).toEqual([
      { id: 'disk.ok', subject: '/data', params: { free: '100 GB', size: '2.0 MB' } },
    ])
  })

  it('on a disk that is full, or nearly, is found, and so is the folder for temporary files', async () => {
    const params = { free: '400 MB', size: '0.0 kB' }
    expect(await disk({ freeBytes: 400_000_000 })).toEqual([{ id: 'disk.full', subject: '/data', params }])
    expect(await disk({}, 400_000_000)).toEqual([{ id: 'disk.full', subject: '/tmp', params }])
    const files = [file('sluice.db', { bytes: 5 * GB })]
    expect(await disk({ freeBytes: 4 * GB, files })).toEqual([
      { id: 'disk.low', subject: '/data', params: { free: '4.0 GB', size: '5.0 GB' } },
    ])
  })

  it('that is not needed need not be there', async () => {
    const check = diskCheck({
      dataFolder: async () => undefined,
      temporaryFolder: async () => ({ path: '/tmp', freeBytes: 100 * GB }),
      databaseFile: undefined,
      now: () => NOW,
    })
    expect(await examined(check)).toMatchObject([{ id: 'disk.ok', subject: '/tmp' }])
  })

  it('on a network file system is found', async () => {
    expect(await disk({ type: 0x6969 })).toEqual([{ id: 'disk.network', subject: '/data', params: { type: 'NFS' } }])
  })

  it('with a write-ahead log that does not shrink is found', async () => {
    expect(await disk({ files: [file('sluice.db-wal', { bytes: GB })] })).toEqual([
      { id: 'disk.wal', subject: '/data/sluice.db-wal', params: { size: '1.0 GB' } },
    ])
  })

  it('with record logs that were set aside is found', async () => {
    const names = ['sluice.db.records-0.2026-11-01.damaged', 'sluice.db.records-1.of-0123']
    expect(await disk({ files: names.map((name) => file(name)) })).toEqual(
      names.map((name) => ({ id: 'disk.records_aside', subject: `/data/${name}` })),
    )
  })

  it('with files that were left behind for a day is found', async () => {
    const names = ['copy.db.partial', 'sluice.db.before-0021-request-limits', 'import/0123']
    const [old, fresh] = [{ changedMs: NOW - 2 * DAY_MS }, { changedMs: NOW }]
    expect(await disk({ files: names.map((name) => file(name, old)) })).toEqual(
      names.map((name) => ({ id: 'disk.left_behind', subject: `/data/${name}`, params: { size: '1.0 MB' } })),
    )
    expect(await disk({ files: names.map((name) => file(name, fresh)) })).toMatchObject([{ id: 'disk.ok' }])
  })

  it('that everybody can read is found, and the master key in it is a problem', { tags: 'S20' }, async () => {
    const files = [file('sluice.db', { mode: 0o100644 }), file('master.key', { mode: 0o100644 })]
    expect(await disk({ mode: 0o40755, files })).toEqual([
      { id: 'disk.open_key', subject: '/data/master.key' },
      { id: 'disk.open_folder', subject: '/data' },
    ])
    expect(await disk({ mode: 0o40700, files })).toMatchObject([{ id: 'disk.ok' }])
    expect(await disk({ mode: 0o40720 })).toEqual([{ id: 'disk.writable_folder', subject: '/data' }])
  })
})

describe('the machine', () => {
  const machine = async (facts: Partial<ReplicaFacts>, ids = ['a:1']) => {
    const said = ids.map((id) => replica(id, facts))
    return await examined(machineCheck(async () => [...said, { id: 'older', facts: undefined }]))
  }

  it('that has enough of everything is in order', async () => {
    expect(await machine({ memoryLimit: GB })).toEqual([{ id: 'machine.ok' }])
  })

  it('with too few open files is found', async () => {
    const requests = { wanted: 10_000, admitted: 232, enoughFiles: 40_096 }
    expect(await machine({ fileLimit: 1_024, requests })).toEqual([
      { id: 'machine.files', subject: 'a:1', params: { limit: 1_024, wanted: 10_000, enough: 40_096, requests: 232 } },
    ])
  })

  it('with less memory than the bodies and answers of all its processes can take is found', async () => {
    const settings = { SLUICE_VALKEY_URL: 'digest' }
    expect(await machine({ memoryLimit: 1_200_000_000, settings })).toEqual([{ id: 'machine.ok' }])
    expect(await machine({ memoryLimit: 1_200_000_000, settings }, ['a:1', 'a:2'])).toEqual([
      { id: 'machine.memory', subject: 'a', params: { limit: '1.2 GB', needed: '1.4 GB', processes: 2 } },
    ])
    expect(await machine({ memoryLimit: 1_200_000_000, settings }, ['a:1', 'b:1'])).toEqual([{ id: 'machine.ok' }])
  })

  it('with more processes than cores is found', async () => {
    const settings = { SLUICE_VALKEY_URL: 'digest' }
    expect(await machine({ cores: 1, settings }, ['a:1', 'a:2'])).toEqual([
      { id: 'machine.processes', subject: 'a', params: { processes: 2, cores: 1 } },
    ])
  })

  it('with several processes that share limits without Valkey is found', async () => {
    const settings = { SLUICE_VALKEY_URL: '' }
    expect(await machine({ settings })).toEqual([{ id: 'machine.ok' }])
    expect(await machine({ settings }, ['a:1', 'a:2'])).toEqual([
      { id: 'machine.shares', subject: 'a', params: { processes: 2 } },
    ])
  })
})

describe('replicas', () => {
  const replicas = async (...known: readonly KnownReplica[]) => await examined(replicaCheck(async () => known))

  it('that agree are in order, and none at all is worth a note', async () => {
    expect(await replicas(replica('a'), replica('b'))).toEqual([{ id: 'replicas.ok', params: { count: 2 } }])
    expect(await replicas()).toEqual([{ id: 'replicas.none' }])
  })

  it('of an older version that say nothing are unknown, and nothing fails', async () => {
    expect(await replicas(replica('a'), { id: 'b', facts: undefined })).toEqual([
      { id: 'replicas.silent', subject: 'b' },
    ])
  })

  it('of two versions are found', async () => {
    expect(await replicas(replica('a'), replica('b', { version: '0.9.0' }))).toEqual([
      { id: 'replicas.versions', params: { versions: '0.9.0, 1.0.0' } },
    ])
  })

  it('that cannot open what another one seals are found', async () => {
    const rotated = replica('a', { keyIds: ['bbbbbbbb', 'aaaaaaaa'] })
    expect(await replicas(rotated, replica('b'))).toEqual([
      { id: 'replicas.keys', subject: 'b', params: { key: 'bbbbbbbb' } },
    ])
    expect(await replicas(rotated, replica('b', { keyIds: ['aaaaaaaa', 'bbbbbbbb'] }))).toMatchObject([
      { id: 'replicas.ok' },
    ])
  })

  it('with different settings are found by the variable, unless one does not know it', async () => {
    expect(await replicas(replica('a'), replica('b', { settings: { SLUICE_BODY_LIMIT: '2', NEW: 'x' } }))).toEqual([
      { id: 'replicas.settings', subject: 'SLUICE_BODY_LIMIT' },
    ])
  })
})

describe('the database', () => {
  const database = async (ms: number, isCurrent = true) => {
    let time = 0
    const ask = async () => (time += ms)
    return await examined(databaseCheck({ ask, isCurrent: async () => isCurrent, steady: () => time }))
  }

  it('is in order when it answers quickly at the newest step', async () => {
    expect(await database(3)).toEqual([{ id: 'database.ok', params: { ms: 3 } }])
  })

  it('that is slow at its best, or at another step, is found', async () => {
    expect(await database(400)).toEqual([{ id: 'database.slow', params: { ms: 400 } }])
    expect(await database(1, false)).toEqual([{ id: 'database.pending' }])
  })
})
