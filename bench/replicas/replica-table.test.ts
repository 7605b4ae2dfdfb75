import { expect, it } from 'vitest'
import type { Reading, ReplicaLoad } from './replica-loads.ts'
import { changesOf, tableOf } from './replica-table.ts'

const LOAD: ReplicaLoad = { name: 'closed8', label: 'closed loop, 8 connections', pattern: () => PATTERN }
const PATTERN = { kind: 'closed', connections: 8, requests: 1 } as const
const reading = (gatewayUs: number): Reading => ({ perSecond: 1_234.4, gatewayUs, p50Ms: 5.125, p99Ms: 20 })
const onServer = (gatewayUs: number): Reading => ({
  ...reading(gatewayUs),
  server: {
    us: 99.6,
    walBytes: 2_345,
    writes: 0.125,
    statements: null,
    waits: { samples: 100, seconds: 1, requests: 50, found: { active: 10, 'Lock:tuple': 5 } },
  },
})
const roundOf = (sqlite: Reading, postgres: Reading) => ({
  SQLite: { closed8: sqlite },
  PostgreSQL: { closed8: postgres },
})

it('has a dash for what a target does not have, and what its connections waited for', () => {
  const lines = tableOf([roundOf(reading(400), onServer(500))], ['SQLite', 'PostgreSQL'], [LOAD])
  const cells = (name: string) =>
    lines
      .find((line) => line.startsWith(`  ${name} `))
      ?.split(/ {2,}/)
      .slice(2)
  expect(cells('SQLite')).toEqual(['1234', '400', '–', '5.13', '20.0', '–', '–', '–'])
  expect(cells('PostgreSQL')).toEqual(['1234', '500', '100', '5.13', '20.0', '2345', '0.125', '–'])
  expect(lines).toContain('  PostgreSQL: ms per request (found in 100 samples): active 2.00 (10)')
  expect(lines).toContain('    row locks: Lock:tuple 1.00 (5), Lock:transactionid 0.00 (0)')
})

it('says why there is no figure', () => {
  const behind = { ...reading(400), behind: '100 of 200 requests a second' }
  const lines = tableOf([roundOf(behind, onServer(500))], ['SQLite'], [LOAD])
  expect(lines).toContain('  SQLite, 1 of 1 rounds: 100 of 200 requests a second')
  expect(lines.join()).not.toContain('400')
})

it('compares a program with the one before it in each round', () => {
  const rounds = [roundOf(reading(400), reading(300)), roundOf(reading(800), reading(400))]
  const lines = changesOf(rounds, [['PostgreSQL', 'SQLite']], [LOAD])
  const line = lines.find((each) => each.includes('gateway'))
  expect(line?.split(/ {2,}/)).toEqual(['', 'PostgreSQL', 'gateway µs', '×0.63', '(0.75 0.50)'])
})
