import { expect, test } from 'vitest'
import { groupProblem, groupRowsOf, groupsText, withNewGroup, ratioChanges } from './group-rows.ts'

test('groups that change, or are added or removed, are listed, others are not', () => {
  expect(ratioChanges('{"default":1,"vip":1,"old":2}', '{"default":1,"vip":0.5,"new":3}')).toEqual([
    { group: 'vip', from: '1', to: '0.5' },
    { group: 'old', from: '2', to: undefined },
    { group: 'new', from: undefined, to: '3' },
  ])
})

test('a text that is not a map counts as empty', () => {
  expect(ratioChanges('broken', '{"default":1}')).toEqual([{ group: 'default', from: undefined, to: '1' }])
  expect(ratioChanges('null', '{}')).toEqual([])
})

const STORED = {
  default: { ratio: 1, title: '', text: '', usable_by: [], ratio_for: {}, order: 0 },
  vip: {
    ratio: 0.8,
    title: 'Premium',
    text: 'Fast.',
    usable_by: ['*'],
    ratio_for: { default: 0.9, 'a b': 0 },
    order: 1,
  },
}
const rows = groupRowsOf(JSON.stringify(STORED))
const withRow = (change: object) => rows.map((row) => (row.name === 'vip' ? { ...row, ...change } : row))

test('a stored value becomes rows and the same value again', () => {
  expect(rows.map(({ name, ratio, ratioFor }) => [name, ratio, ratioFor])).toEqual([
    ['default', '1', ''],
    ['vip', '0.8', 'default: 0.9, a b: 0'],
  ])
  expect(JSON.parse(groupsText(rows))).toEqual(STORED)
})

test('an entry holds its rows as they are typed', () => {
  const typed = withNewGroup(withRow({ ratio: '0.' }))
  expect(groupRowsOf(JSON.stringify(typed))).toEqual(typed)
})

test('new rows differ from all others', () => {
  const grown = withNewGroup(withNewGroup(rows))
  const left = withNewGroup(grown.toSpliced(2, 1))
  for (const some of [grown, left]) expect(new Set(some.map(({ key }) => key)).size).toBe(some.length)
})

test('fields that a server leaves out have their defaults, and a value that is not a map has no rows', () => {
  expect(JSON.parse(groupsText(groupRowsOf('{"default":{}}')))).toEqual({ default: STORED.default })
  for (const text of ['', '[]', '7', '{"a": 1}']) expect(groupRowsOf(text)).toEqual([])
})

test.each([
  ['name', { name: ' ' }, 'groupName'],
  ['name', { name: 'default ' }, 'groupName'],
  ['ratio', { ratio: '' }, 'number'],
  ['ratio', { ratio: '-1' }, 'number'],
  ['ratio', { ratio: '1000.1' }, 'number'],
  ['ratioFor', { ratioFor: 'svip' }, 'groupRatios'],
  ['ratioFor', { ratioFor: 'svip: x' }, 'groupRatios'],
  ['order', { order: '1.5' }, 'integer'],
])('a %s that cannot be stored is named: %j', (field, change, is) => {
  expect(groupProblem(withRow(change))).toMatchObject({ row: { key: 'vip' }, field, problem: { is } })
})

test('fullwidth commas and colons, as Chinese keyboards write them, are read as well', () => {
  const typed = withRow({ ratioFor: 'default：0.9，svip: 0.4', order: '' })
  expect(groupProblem(typed)).toBeUndefined()
  expect(JSON.parse(groupsText(typed)).vip).toMatchObject({ ratio_for: { default: 0.9, svip: 0.4 }, order: 0 })
})
