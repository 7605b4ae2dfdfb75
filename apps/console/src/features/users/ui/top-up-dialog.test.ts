import * as v from 'valibot'
import { expect, test } from 'vitest'
import { en } from '../texts/user-texts.ts'
import { NO_TOP_UP, type TopUp, topUpSchema } from './top-up-dialog.tsx'

const check = (change: Partial<TopUp>) => {
  const result = v.safeParse(topUpSchema(en), { ...NO_TOP_UP, ...change })
  return result.success ? result.output : result.issues.map((issue) => issue.message)
}

test('a top-up is a whole number of points, with or without a remark', { tags: 'B5.5' }, () => {
  expect(check({})).toEqual(['Enter a number of quota points'])
  expect(check({ quota: 1.5 })).toEqual(['Quota must be a whole number'])
  expect(check({ quota: -1 })).toEqual(['Quota must be non-negative'])
  expect(check({ quota: 1e15 + 1 })).toEqual(['Quota is too large'])
  expect(check({ quota: 5 })).toEqual({ quota: 5, remark: '' })
  expect(check({ quota: 5, remark: ' thanks ' })).toEqual({ quota: 5, remark: 'thanks' })
  expect(check({ quota: 5, remark: 'x'.repeat(201) })).toEqual(['Remark is limited to 200 characters'])
})
