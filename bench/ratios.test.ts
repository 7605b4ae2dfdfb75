import { expect, it } from 'vitest'
import budgets from './budgets.json' with { type: 'json' }
import { ratiosOf, type Round, verdicts } from './ratios.ts'

const figures = (jsonCpuUs: number, chunkCpuUs: number, p50Ms: number) => ({ jsonCpuUs, chunkCpuUs, p50Ms, p99Ms: 30 })

/** A round on a machine that is `slower` times slower than another. */
const round = (slower: number): Round => ({
  direct: figures(NaN, NaN, 20),
  nginx: figures(20 * slower, 5 * slower, 20.1),
  bare: figures(50 * slower, 5 * slower, 20.3),
  Sluice: figures(100 * slower, 6 * slower, 20.6),
  Portkey: figures(800 * slower, 25 * slower, 22),
})

it('judges ratios within a round, so a slower machine changes nothing', () => {
  const expected = { jsonCpuOverNginx: 5, jsonCpuOverPortkey: 0.125, rssMbWith1000Streams: 120 }
  expect(ratiosOf([round(1), round(3), round(1)], 120)).toMatchObject(expected)
})

it('praises figures that reach every aim', () => {
  expect(verdicts(ratiosOf([round(1)], 120), budgets).every(({ verdict }) => verdict === 'reached')).toBe(true)
})

it('fails a figure above its limit and one that is missing', () => {
  const slow = { ...round(1), Sluice: figures(300, 6, NaN) }
  const failed = verdicts(ratiosOf([slow], 250), budgets).filter(({ verdict }) => verdict === 'EXCEEDED')
  expect(failed.map(({ name }) => name)).toEqual([
    'jsonCpuOverNginx',
    'jsonCpuOverBare',
    'jsonCpuOverPortkey',
    'addedP50Ms',
    'rssMbWith1000Streams',
  ])
})
