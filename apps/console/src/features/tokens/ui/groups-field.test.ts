import type { UsableGroups } from '@sluice/contract/groups'
import { expect, test } from 'vitest'
import { addableGroups, isChoice, movedGroup } from './groups-field.tsx'

const group = (ratio: number | string) => ({ ratio, desc: '', title: '', own: false, order: 0 })
const usable: UsableGroups = { default: group(1), vip: group(0.8), auto: group('自动') }

test('groups are offered until they are chosen, and auto only where nothing is', () => {
  expect(addableGroups(usable, [])).toEqual(['default', 'vip', 'auto'])
  expect(addableGroups(usable, ['vip'])).toEqual(['default'])
  expect(addableGroups(usable, ['auto'])).toEqual([])
})

test('a group that is called auto is a group like others', () => {
  expect(addableGroups({ ...usable, auto: group(2) }, ['vip'])).toEqual(['default', 'auto'])
})

test('ten groups are the most that a token names', () => {
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`g${at}`, group(1)]))
  expect(addableGroups(many, Object.keys(many).slice(0, 9))).toHaveLength(3)
  expect(addableGroups(many, Object.keys(many).slice(0, 10))).toEqual([])
})

test('one group is not a choice, unless another was chosen before', () => {
  expect(isChoice({ default: group(1), auto: group('自动') }, [])).toBe(false)
  expect(isChoice({ default: group(1) }, ['vip'])).toBe(true)
  expect(isChoice(usable, [])).toBe(true)
})

test('a group moves past its neighbour', () => {
  expect(movedGroup(['a', 'b', 'c'], 'c', -1)).toEqual(['a', 'c', 'b'])
  expect(movedGroup(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c'])
})
