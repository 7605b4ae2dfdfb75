import { expect, it } from 'vitest'
import { countOf, keysAt } from './callers.ts'

it('gives all processes the one user, or each its own', () => {
  expect([0, 1].map((place) => keysAt('one', 2, place))).toEqual([['sk-bench1'], ['sk-bench1']])
  expect([0, 1].map((place) => keysAt('each', 2, place))).toEqual([['sk-bench1'], ['sk-bench2']])
})

it('lets all processes serve many users, each beginning with another', () => {
  const all = [0, 1, 2, 3].map((place) => keysAt('many', 4, place))
  expect(all.map((keys) => keys[0])).toEqual(['sk-bench1', 'sk-bench251', 'sk-bench501', 'sk-bench751'])
  for (const keys of all) expect(new Set(keys).size).toBe(countOf('many', 4))
})
