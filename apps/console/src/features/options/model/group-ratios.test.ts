import { expect, test } from 'vitest'
import { ratioChanges } from './group-ratios.ts'

test('groups that change, come and go are told, others are not', () => {
  expect(ratioChanges('{"default":1,"vip":1,"old":2}', '{"default":1,"vip":0.5,"new":3}')).toEqual([
    { group: 'vip', from: '1', to: '0.5' },
    { group: 'old', from: '2', to: undefined },
    { group: 'new', from: undefined, to: '3' },
  ])
})

test('a map that is none counts as empty', () => {
  expect(ratioChanges('broken', '{"default":1}')).toEqual([{ group: 'default', from: undefined, to: '1' }])
  expect(ratioChanges('null', '{}')).toEqual([])
})
