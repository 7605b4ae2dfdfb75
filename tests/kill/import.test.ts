// @module-tag slow
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { ImportReport } from '@sluice/contract/import'
import { openDatabase } from '@sluice/store/database'
import { runSluice, startSluice } from '@sluice/testkit/gateway-process'
import type { SourceRows } from '@sluice/testkit/import/foreign-sources'
import { createTestSource, type TestSource } from '@sluice/testkit/import/foreign-sources'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** The stage at which an import is killed, and how long after its start. `SLUICE_KILL_IMPORT_ROUNDS` repeats them. */
const BLOWS = [
  { stage: 'users', ms: 150 },
  { stage: 'tokens', ms: 120 },
  { stage: 'codes', ms: 0 },
] as const
const ROUNDS = Number(process.env['SLUICE_KILL_IMPORT_ROUNDS'] ?? 1)
const USERS = 5_000
const CODES = 500
const LOGS = 5_000

let dataDir: string
let source: TestSource

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sluice-kill-import-'))
  source = await createTestSource('sqlite', tables())
})
afterAll(async () => {
  await source.remove()
  await rm(dataDir, { recursive: true, force: true })
})

const quotaOf = (id: number): number => (id * 7_919) % 1_000_000

function tables(): readonly SourceRows[] {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
  return [
    {
      table: 'users',
      columns: {
        id: 'integer',
        username: 'text',
        password: 'text',
        role: 'integer',
        status: 'integer',
        email: 'text',
        group: 'text',
        aff_code: 'text',
        quota: 'integer',
        used_quota: 'integer',
        request_count: 'integer',
      },
      rows: ids(USERS).map((id) => [id, `user${id}`, '', 1, 1, '', 'default', `code${id}`, quotaOf(id), 5, 1]),
    },
    {
      table: 'tokens',
      columns: {
        id: 'integer',
        user_id: 'integer',
        key: 'text',
        name: 'text',
        status: 'integer',
        expired_time: 'integer',
        unlimited_quota: 'boolean',
        remain_quota: 'integer',
        used_quota: 'integer',
        created_time: 'integer',
      },
      rows: ids(USERS).map((id) => [
        id,
        id,
        `key${id}-${'x'.repeat(40)}`,
        'default',
        1,
        -1,
        id % 2,
        id,
        0,
        1_700_000_000,
      ]),
    },
    {
      table: 'channels',
      columns: { id: 'integer', type: 'integer', key: 'text', status: 'integer', models: 'text', group: 'text' },
      rows: [[1, 1, 'sk-upstream', 1, 'gpt-4o', 'default']],
    },
    {
      table: 'redemptions',
      columns: { id: 'integer', user_id: 'integer', key: 'text', status: 'integer', quota: 'integer' },
      rows: ids(CODES).map((id) => [id, 1, `code-${id}-0123456789abcdef`, 1, id]),
    },
    {
      table: 'logs',
      columns: {
        id: 'integer',
        user_id: 'integer',
        created_at: 'integer',
        type: 'integer',
        token_name: 'text',
        model_name: 'text',
        quota: 'integer',
        prompt_tokens: 'integer',
        completion_tokens: 'integer',
      },
      rows: ids(LOGS).map((id) => [id, id, 1_700_000_000 + id, 2, 'default', 'gpt-4o', 5, 1, 1]),
    },
  ]
}

/** Operators who restart an import wait until the dead one's lease has expired; the test does not. */
async function endLease(): Promise<void> {
  const database = await openDatabase({ sqliteFile: join(dataDir, 'sluice.db') })
  await database.kysely.updateTable('lease').set({ until_ms: 0 }).execute()
  await database.close()
}

it('an import whose process is killed again and again ends with equal sums and a ledger that balances', async () => {
  const args = ['import', source.source, '--json', join(dataDir, 'report.json')]
  let killed = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { stage, ms } of BLOWS) {
      const command = await startSluice(args, { dataDir, readyWhen: new RegExp(`^${stage} \\(`, 'm') })
      await delay(ms + round * 37)
      await command.kill()
      killed += /It was imported/.test(command.output()) ? 0 : 1
      await endLease()
    }
  }
  expect(killed).toBeGreaterThanOrEqual(2)
  const ended = await runSluice(args, { dataDir })
  expect(ended, ended.output).toMatchObject({ code: 0 })

  const { report } = JSON.parse(await readFile(join(dataDir, 'report.json'), 'utf8')) as {
    readonly report: ImportReport
  }
  const sum = (count: number, of: (id: number) => number): string =>
    String(Array.from({ length: count }, (_, at) => of(at + 1)).reduce((total, one) => total + one, 0))
  expect(report.after).toEqual(report.before)
  expect(report.after).toMatchObject({
    users: USERS,
    balances: sum(USERS, quotaOf),
    tokens: USERS,
    channels: 1,
    codes_unused: CODES,
    limits: sum(USERS, (id) => (id % 2 === 1 ? 0 : id)),
    codes: sum(CODES, (id) => id),
    requests: LOGS,
    used: String(LOGS * 5),
  })
  const verified = await runSluice(['ledger', 'verify', '--full'], { dataDir })
  expect(verified, verified.output).toMatchObject({ code: 0 })
})
