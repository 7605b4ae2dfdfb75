import { expect, test } from 'vitest'
import { ratioChanges } from './group-ratios.ts'

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
