import { expect, it } from 'vitest'
import type { Reading } from './replica-loads.ts'
import { figureOf, overRounds, ratioOf, ratiosOf, type Round } from './replica-ratios.ts'

const reading = (gatewayUs: number): Reading => ({ perSecond: 1_000, gatewayUs, p50Ms: 5, p99Ms: 20 })
const round = (sqlite: Reading, postgres: Reading): Round => ({
  SQLite: { at8: sqlite },
  PostgreSQL: { at8: postgres },
})
const BOTH = ['PostgreSQL', 'SQLite'] as const
const late = { ...reading(900), behind: '100 of 200 requests a second' }

it('compares within a round, so a slower machine changes nothing', () => {
  const rounds = [
    round(reading(100), reading(150)),
    round(reading(300), reading(450)),
    round(reading(100), reading(160)),
  ]
  expect(ratiosOf(rounds, BOTH, 'at8', 'gatewayUs')).toEqual([1.5, 1.5, 1.6])
  expect(ratioOf(rounds, BOTH, 'at8', 'gatewayUs')).toBe(1.5)
})

it('has no figures of a server for a target without one', () => {
  expect(figureOf(round(reading(100), reading(150)), 'SQLite', 'at8', 'serverUs')).toBeNaN()
  expect(figureOf(round(reading(100), reading(150)), 'SQLite', 'at8', 'walBytes')).toBeNaN()
})

it('leaves out rounds in which a target fell behind, and has no figure when those were most of them', () => {
  const kept = round(reading(100), reading(150))
  const fell = round(reading(100), late)
  expect(overRounds([kept, fell], 'PostgreSQL', 'at8', 'gatewayUs')).toBe(150)
  expect(overRounds([kept, fell, fell], 'PostgreSQL', 'at8', 'gatewayUs')).toBeNaN()
  expect(ratioOf([kept, fell], BOTH, 'at8', 'gatewayUs')).toBe(1.5)
  expect(ratioOf([kept, fell, fell], BOTH, 'at8', 'gatewayUs')).toBeNaN()
})
