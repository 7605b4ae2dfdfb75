import { expect, it } from 'vitest'
import { BASE_PATH, basePathOf } from './base-path.ts'

it.each([
  ['https://host/assets/shell-abc_1234.js', ''],
  ['https://host/ai/assets/shell-abc_1234.js', '/ai'],
  ['http://127.0.0.1:3000/tools/ai/assets/shell-abc_1234.js?v=1', '/tools/ai'],
  ['https://host/assets/assets/shell-abc_1234.js', '/assets'],
])('the script %s belongs to a console below %j', (script, expected) => {
  expect(basePathOf(script)).toBe(expected)
})

it('there is no base path where nothing was built', () => {
  expect(BASE_PATH).toBe('')
})
