import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { OPTION_DEFINITIONS } from '../../packages/store/src/options/option-definitions.ts'
import { OPTION_EFFECTS } from './option-effects.ts'

const SOURCES = new URL('../../apps/gateway/src/', import.meta.url)
const PUBLISHES = 'management/system/system.ts'

/** Whether code reads the option, as a member or by destructuring the settings. Comments and types do not count. */
function reads(source: string, key: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').replace(/Pick<[^>]*>/g, '')
  return new RegExp(`\\.${key}\\b|\\b${key}\\b\\s*[,:}]`).test(code)
}

test.each(Object.entries(OPTION_EFFECTS))('%s takes effect where the reference says', async (key, { file, effect }) => {
  expect(effect).toMatch(/^[A-Z].*\.$/)
  expect(reads(await readFile(new URL(file, SOURCES), 'utf8'), key)).toBe(true)
})

test('every option there is has an effect, and only those', () => {
  expect(Object.keys(OPTION_EFFECTS).toSorted()).toEqual(Object.keys(OPTION_DEFINITIONS).toSorted())
})

test('an option that only the public status reads is one that visitors may see', () => {
  for (const [key, definition] of Object.entries(OPTION_DEFINITIONS)) {
    const effect = Object.entries(OPTION_EFFECTS).find(([name]) => name === key)?.[1]
    if (effect?.file === PUBLISHES) expect(definition, key).toMatchObject({ public: true })
  }
})

test('a mention in a comment or a type is not an effect', () => {
  expect(reads('// RetryTimes: twice', 'RetryTimes')).toBe(false)
  expect(reads(`type A = Pick<Options, 'RetryTimes'>`, 'RetryTimes')).toBe(false)
  expect(reads('const { RetryTimes } = options()', 'RetryTimes')).toBe(true)
  expect(reads('options().RetryTimesMore', 'RetryTimes')).toBe(false)
})
