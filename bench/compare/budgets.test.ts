import { expect, it } from 'vitest'
import budgets from '../budgets.json' with { type: 'json' }
import { comparisons } from './budgets.ts'
import { reading, sameEverywhere, sampleRound } from './rounds-sample.ts'

const MEMORY = { Sluice: { idleMb: 90, heldMb: 120 } }

it('reports figures that reach every aim as reached', () => {
  const round = { ...sampleRound(), Sluice: sameEverywhere(reading(29, 20.4)) }
  const results = comparisons([round], MEMORY, budgets)
  expect(results.map(({ name }) => name)).toEqual(Object.keys(budgets))
  expect(results.filter(({ result }) => result !== 'reached')).toEqual([])
})

it('fails a figure above its limit and one that is missing', () => {
  const slow = sameEverywhere(reading(4_000, NaN))
  const round = { ...sampleRound(), Sluice: { ...slow, pace20by1000: { ...slow.pace20by1000, behind: 'too slow' } } }
  const failed = comparisons([round], { Sluice: { idleMb: 90, heldMb: 250 } }, budgets)
  expect(failed.filter(({ result }) => result !== 'EXCEEDED').map(({ name }) => name)).toEqual([])
  const added = failed.find(({ name }) => name === 'addedP50Ms')
  expect(added?.value).toBeNaN()
})

it('judges only what the targets of the run can tell', () => {
  const { bare, Sluice } = sampleRound()
  const names = (round: object) => comparisons([round], MEMORY, budgets).map(({ name }) => name)
  expect(names({ bare, Sluice })).not.toContain('jsonCpuOverNginx')
  expect(names({ bare, Sluice })).toContain('jsonCpuAt200OverBare')
  expect(names({ bare })).toEqual([])
})
