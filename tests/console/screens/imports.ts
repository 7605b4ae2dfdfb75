import type { Page } from '@playwright/test'
import type { ImportReport, ImportRun } from '@sluice/contract/import'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

const DIGEST = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

const before: ImportReport['before'] = {
  users: 1_203,
  balances: '98234567890',
  digest: DIGEST,
  tokens: 3_310,
  limits: '1234567890',
  channels: 48,
  codes_unused: 120,
  codes: '60000000',
  requests: 5_012_345,
  used: '123456789012345678901',
}

const NOTHING = { changed: 0, unchanged: 0, skipped: 0, left_out: 0, gone: 0 }

/** Everything that a report can say; `tests/console/admin/import.spec.ts` has real reports. */
const report: ImportReport = {
  tables: [
    { ...NOTHING, name: 'options', rows: 61, added: 14, skipped: 47 },
    { ...NOTHING, name: 'channels', rows: 49, added: 48, skipped: 1 },
    { ...NOTHING, name: 'users', rows: 1_204, added: 12, changed: 31, unchanged: 1_160, left_out: 1 },
    { ...NOTHING, name: 'tokens', rows: 3_340, added: 3_310, skipped: 24, left_out: 6 },
    { ...NOTHING, name: 'redemptions', rows: 420, added: 417, gone: 3 },
    { ...NOTHING, name: 'logs', rows: 5_012_345, added: 5_012_345 },
  ],
  problems: Array.from({ length: 57 }, (_, at) => ({
    table: at % 3 === 0 ? 'tokens' : 'channels',
    id: String(1_000 + at),
    field: at % 3 === 0 ? 'models' : 'type',
    problem:
      at % 3 === 0
        ? 'names the model "an-extraordinarily-long-model-name-of-another-provider-2026", which no channel serves'
        : 'is 999, which is not a type of channel',
    effect: at % 3 === 0 ? 'adapted' : 'left_out',
  })),
  problem_count: 57,
  kept: [
    { table: 'users', id: '12', field: 'totp_secret', reason: 'was disabled in the source: stays enabled here' },
    {
      table: 'users',
      id: '31',
      field: 'role',
      reason: 'was changed in this gateway and in the source: stays as it is',
    },
  ],
  kept_count: 2,
  refused: [],
  notes: [
    'Passkeys of 3 users are bound to the domain gateway.example.org and work only if the console keeps that domain.',
    'GitHub names of 12 users are kept as a hint; they have to bind their accounts again.',
  ],
  unknown: [
    { table: 'users', columns: ['linux_do_level', 'remark'] },
    { table: 'midjourneys', columns: [] },
  ],
  before,
  after: null,
  balances_now: null,
  prices: [
    {
      model: 'gpt-6-luna',
      theirs: { input: 2.5, cached_input: 1.25, output: 10, per_call: null },
      ours: { input: 1.25, cached_input: 0.125, output: 10, per_call: null },
      difference: 1,
    },
    {
      model: 'a-model-with-a-rather-long-name-2026-11-20',
      theirs: { input: null, cached_input: null, output: null, per_call: 0.04 },
      ours: null,
      difference: null,
    },
  ],
  settings: [
    { key: 'SystemName', effect: 'kept', reason: 'has the value "Sluice" here' },
    { key: 'GroupRatio', effect: 'set', reason: '' },
    { key: 'SMTPServer', effect: 'set', reason: '' },
    { key: 'DrawingEnabled', effect: 'unused', reason: '' },
    { key: 'ServerAddress', effect: 'invalid', reason: 'must be an address' },
  ],
  proof: null,
}

const runOf = (now: number, change: Partial<ImportRun>): ImportRun => ({
  id: 3,
  name: 'one-api',
  label: 'one-api.db',
  family: 'one-api',
  mode: 'check',
  outcome: 'done',
  stopping: false,
  stage: 'check',
  done: 5_000,
  total: 5_000,
  started_by: 1,
  started_by_name: 'root',
  started_at: Math.floor(now / 1_000) - 312,
  ended_at: Math.floor(now / 1_000) - 60,
  report: null,
  ...change,
})

/** Replaces replies, because the gateway has only one latest run and other tests share it. */
async function pretend(page: Page, change: Partial<ImportRun> | undefined): Promise<void> {
  const json = { success: true, data: change === undefined ? null : runOf(Date.now(), change) }
  await page.route('**/api/import/?*', (route) => route.fulfill({ json }))
}

const REFUSED: ImportReport = {
  ...report,
  refused: [
    'users 17: the balance is negative (-5000), and debts are refused',
    '57 of 4,593 rows cannot be imported, more than one in a hundred',
  ],
}

const IMPORTED: ImportReport = {
  ...report,
  problems: report.problems.slice(0, 3),
  problem_count: 3,
  after: before,
  balances_now: '98234000000',
  proof: [
    { id: 'I1', statement: 'Every balance is the sum of its transfers.', ok: true },
    { id: 'I2', statement: 'Every transfer has two sides that add up to zero.', ok: true },
    { id: 'I17', statement: 'Every row that was brought has the transfer that its note names.', ok: true },
  ],
}

/** A wrong sum and a broken invariant, which nobody should ever see. */
const UNEQUAL: ImportReport = {
  ...IMPORTED,
  refused: ['tokens: 1234567890 at the source, 1234000000 here'],
  after: { ...before, tokens: 3_304, limits: '1234000000', digest: DIGEST.replace('9', 'a') },
  proof: [{ id: 'I17', statement: 'Every row that was brought has the transfer that its note names.', ok: false }],
}

export const importScreens: readonly Screen[] = [
  {
    name: 'import-source',
    route: '/import',
    as: 'root',
    show: async (page) => {
      await pretend(page, undefined)
      await page.goto('/import')
      await expect(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
    },
  },
  {
    name: 'import-address',
    route: '/import',
    as: 'root',
    show: async (page) => {
      await pretend(page, { outcome: 'running', stage: 'users', mode: 'import' })
      await page.goto('/import?from=address&name=shop-2&logs=none')
      await page.getByLabel('Address of a database').last().fill('mysql://oneapi:secret@10.0.0.7:3306/oneapi')
      await expect(page.getByText('Watch it')).toBeVisible()
    },
  },
  {
    name: 'import-running',
    route: '/import',
    as: 'root',
    show: async (page) => {
      await pretend(page, {
        outcome: 'running',
        mode: 'import',
        stage: 'tokens',
        done: 1_204,
        total: 3_340,
        ended_at: 0,
      })
      await page.goto('/import?step=import')
      await expect(page.getByText('1,204 of 3,340 rows')).toBeVisible()
    },
  },
  {
    name: 'import-checked',
    route: '/import',
    as: 'root',
    show: async (page) => {
      await pretend(page, { report })
      await page.goto('/import?step=check')
      await expect(page.getByText('Nothing prevents the import.')).toBeVisible()
    },
  },
  {
    name: 'import-refused',
    route: '/import',
    as: 'root',
    show: async (page) => {
      await pretend(page, { outcome: 'refused', report: REFUSED })
      await page.goto('/import?step=check')
      await expect(page.getByText('It cannot be imported like this.')).toBeVisible()
    },
  },
  {
    name: 'import-report',
    route: '/import',
    as: 'root',
    show: async (page) => {
      await pretend(page, { mode: 'import', stage: 'verify', report: IMPORTED })
      await page.goto('/import?step=import')
      await expect(page.getByText('Everything was imported')).toBeVisible()
    },
  },
  {
    name: 'import-unequal',
    route: '/import',
    as: 'root',
    show: async (page) => {
      await pretend(page, { mode: 'import', outcome: 'failed', stage: 'verify', report: UNEQUAL })
      await page.goto('/import?step=import')
      await expect(page.getByText('does not hold')).toBeVisible()
    },
  },
]
