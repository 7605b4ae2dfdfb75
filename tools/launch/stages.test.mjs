import { afterEach, describe, expect, it, vi } from 'vitest'
import { printTable, runStages } from './stages.mjs'

const written = []
vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
const output = () => written.join('')
afterEach(() => {
  written.length = 0
})

const script = (name, body, more = {}) => ({ name, command: process.execPath, args: ['-e', body], ...more })

describe('runStages', () => {
  it('runs every stage, even after one failed, and shows the output of the failed one only', async () => {
    const results = await runStages([
      script('good', "console.log('all well')"),
      script('bad', "console.error('what broke'); process.exit(2)"),
      script('last', ''),
    ])
    expect(results.map(({ code }) => code)).toEqual([0, 2, 0])
    expect(output()).toContain('what broke')
    expect(output()).not.toContain('all well')
  })

  it('keeps the others waiting while a stage wants all cores', async () => {
    const log = []
    const mark = (name) => ({ count: async () => ({ passed: log.push(name), failed: 0 }) })
    const sleep = (ms) => `setTimeout(() => {}, ${ms})`
    await runStages([
      script('a', sleep(120), mark('a')),
      script('b', sleep(60), mark('b')),
      script('c', sleep(60), { ...mark('c'), alone: true }),
      script('d', '', mark('d')),
    ])
    expect(new Set(log.slice(0, 2))).toEqual(new Set(['a', 'b']))
    expect(log.slice(2)).toEqual(['c', 'd'])
  })

  it('counts one failure for tests that could not report', async () => {
    const count = () => Promise.reject(new Error('no report'))
    const [result] = await runStages([script('tests', 'process.exit(1)', { count })])
    expect(result.count).toEqual({ passed: 0, failed: 1, names: ['tests: no report'], repeated: [] })
  })

  it('reports a program that cannot be started', async () => {
    const [result] = await runStages([{ name: 'missing', command: '/nowhere/at/all', args: [] }])
    expect(result.code).toBe(1)
    expect(output()).toContain('ENOENT')
  })
})

it('prints one line for each stage', () => {
  printTable([
    { stage: { name: 'types' }, code: 0, seconds: 1.26 },
    { stage: { name: 'tests, units' }, code: 1, seconds: 12, count: { passed: 40, failed: 2 } },
  ])
  expect(output().split('\n').filter(Boolean)).toEqual([
    'stage         result     time  passed  failed',
    'types         ok        1.3 s',
    'tests, units  FAILED   12.0 s      40       2',
  ])
})
