import type { ImportProblem, ImportReport } from '@sluice/contract/import'
import { describe, expect, it } from 'vitest'
import { keptFields, matchingProblems, problemsAsCsv, tablesWithProblems } from '../ui/report/problem-table.tsx'
import {
  changesIn,
  comparedSums,
  groupedDigits,
  formatDuration,
  pauseBetweenLooks,
  shareDone,
  stagesOf,
} from './comparison.ts'

const totals: ImportReport['before'] = {
  users: 2,
  balances: '-5',
  digest: 'a',
  tokens: 3,
  limits: '0',
  channels: 1,
  codes_unused: 0,
  codes: '0',
  requests: 7,
  used: '123456789012345678901',
}

const problem = (table: string, id: string, text: string): ImportProblem => ({
  table,
  id,
  field: 'quota',
  problem: text,
  effect: 'left_out',
})
const problems = [problem('users', '7', 'is NULL'), problem('tokens', '7', '=cmd|x'), problem('users', '8', 'is text')]

describe('the sums of a report', () => {
  it('are compared one by one after an import, and stand alone after a check', () => {
    expect(comparedSums({ before: totals, after: null }).every(({ here }) => here === undefined)).toBe(true)
    const compared = comparedSums({ before: totals, after: { ...totals, limits: '1' } })
    expect(compared).toHaveLength(9)
    expect(compared.filter(({ there, here }) => there !== here).map(({ what }) => what)).toEqual(['limits'])
    expect(compared.filter(({ isQuota }) => isQuota).map(({ what }) => what)).toEqual([
      'balances',
      'limits',
      'codes',
      'used',
    ])
  })

  it('are written with every digit, however large', () => {
    expect(['123456789012345678901', '-5000', '0', ''].map(groupedDigits)).toEqual([
      '123,456,789,012,345,678,901',
      '-5,000',
      '0',
      '',
    ])
  })

  it('of changes leave the log out', () => {
    const none = { rows: 9, changed: 0, unchanged: 0, skipped: 0, left_out: 0, gone: 0 }
    const tables = [
      { ...none, name: 'users', added: 1, changed: 2, unchanged: 3 },
      { ...none, name: 'logs', added: 9 },
    ]
    expect(changesIn({ tables })).toEqual({ added: 1, changed: 2, unchanged: 3 })
  })
})

describe('problems', () => {
  it('are found by table and by any of their texts', () => {
    const idsOf = (table: string, text: string) =>
      matchingProblems(problems, { table, text }).map((one) => `${one.table} ${one.id}`)
    expect(idsOf('', '')).toHaveLength(3)
    expect(idsOf('users', '')).toEqual(['users 7', 'users 8'])
    expect(idsOf('', 'null ')).toEqual(['users 7'])
    expect(idsOf('tokens', '8')).toEqual([])
    expect(tablesWithProblems(problems)).toEqual(['users', 'tokens'])
  })

  it('are saved so that a spreadsheet runs none of them', () => {
    const kept = [{ table: 'users', id: '7', field: 'role', reason: 'was changed here' }]
    expect(problemsAsCsv(keptFields({ kept }))).toBe(
      'table,id,field,problem,effect\r\nusers,7,role,was changed here,kept\r\n',
    )
    expect(problemsAsCsv(problems.slice(1, 2))).toBe(
      "table,id,field,problem,effect\r\ntokens,7,quota,'=cmd|x,left_out\r\n",
    )
  })
})

describe('progress', () => {
  it('is looked at every second while there is some', () => {
    expect(pauseBetweenLooks({ outcome: 'running' })).toBe(1_000)
    expect([{ outcome: 'done' } as const, null, undefined].map(pauseBetweenLooks)).toEqual([false, false, false])
  })

  it('is a share of the stage, and a check has two of them', () => {
    expect([
      shareDone({ done: 1, total: 4 }),
      shareDone({ done: 0, total: 0 }),
      shareDone({ done: 9, total: 4 }),
    ]).toEqual([0.25, 0, 1])
    expect(stagesOf('check')).toEqual(['open', 'check'])
    expect(stagesOf('import')).toHaveLength(10)
  })

  it('takes minutes and hours', () => {
    expect([0, 7.9, 760, 3_723, -5].map(formatDuration)).toEqual(['0:00', '0:07', '12:40', '1:02:03', '0:00'])
  })
})
