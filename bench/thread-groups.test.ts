import { expect, it } from 'vitest'
import { type Thread, threadsOf } from './process-usage.ts'
import { cpuByGroup, groupOf } from './thread-groups.ts'

const thread = (id: number, name: string, cpuNs: number): Thread => ({ process: 10, id, name, cpuNs })

it('adds up what threads of one kind used between two looks', () => {
  const before = [thread(10, 'MainThread', 100), thread(11, 'sluice-database', 50), thread(12, 'V8Worker', 7)]
  const after = [
    thread(10, 'MainThread', 400),
    thread(11, 'sluice-database', 60),
    thread(12, 'V8Worker', 9),
    thread(13, 'libuv-worker', 5),
  ]
  expect(cpuByGroup(before, after)).toEqual({ main: 300, ledger: 10, other: 2, pool: 5 })
})

it('puts numbered workers of one name together and knows the first thread of every process', () => {
  expect(groupOf(thread(21, 'sluice-reader-2', 0))).toBe('reader')
  expect(groupOf(thread(22, 'sluice-tokenize', 0))).toBe('tokenize')
  expect(groupOf({ process: 30, id: 30, name: 'nginx' })).toBe('main')
})

it.skipIf(process.platform !== 'linux')('finds the main thread of a running process and its processor time', () => {
  const main = threadsOf(process.pid).find(({ id }) => id === process.pid)
  expect(main?.cpuNs).toBeGreaterThan(0)
})
