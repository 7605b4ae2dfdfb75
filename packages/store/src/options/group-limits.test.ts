import { describe, expect, test } from 'vitest'
import { groupLimitsText, parseGroupLimits } from './group-limits.ts'

const read = (text: string) => parseGroupLimits(JSON.parse(text))

describe('limits of groups', () => {
  test('are read with 0 for what is left out, and written without it', () => {
    const read = parseGroupLimits({ default: { rpm: 60, tpm: 100_000 }, vip: { concurrency: 3, rpm: 0 }, free: {} })
    if ('problem' in read) throw new Error(read.problem)
    expect(read.value.get('default')).toEqual({ rpm: 60, tpm: 100_000, concurrency: 0 })
    expect(groupLimitsText(read.value)).toBe('{"default":{"rpm":60,"tpm":100000},"vip":{"concurrency":3},"free":{}}')
  })

  test.each([
    ['[]', 'must be a JSON object that maps a group to its limits'],
    ['{"a": 5}', 'needs an object like {"rpm": 60} for "a"'],
    ['{"a": {"rps": 5}}', 'supports only rpm, tpm, concurrency, but "a" contains "rps"'],
    ['{"a": {"rpm": -1}}', 'needs a whole number from 0 to 1000000000 in rpm of "a"'],
    ['{"a": {"tpm": "5"}}', 'needs a whole number from 0 to 1000000000 in tpm of "a"'],
    ['{"a": {"concurrency": 1.5}}', 'needs a whole number from 0 to 1000000000 in concurrency of "a"'],
  ])('refuse %s, naming group and rule', (text, problem) => {
    expect(read(text)).toEqual({ problem })
  })
})
