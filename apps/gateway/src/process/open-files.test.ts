import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { placesWithin } from './open-files.ts'

test('the limit of open files is that of the process', () => {
  const program = `
    import { openFileLimit } from '${new URL('./open-files.ts', import.meta.url).href}'
    console.log(openFileLimit())`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  const limited = ['-c', 'ulimit -n 300; exec "$@"', 'sh', process.execPath, ...args]
  expect(execFileSync('sh', limited, { encoding: 'utf8' }).trim()).toBe('300')
})

test(
  'no more requests are admitted than fit under the limit of open files, with their connections',
  { tags: 'S49' },
  () => {
    expect(placesWithin(256, 10_000)).toEqual({ requests: 40, connections: 80, enough: 40_096 })
    expect(placesWithin(40_096, 10_000)).toMatchObject({ requests: 10_000, connections: 20_000 })
    expect(placesWithin(1_048_576, 10_000).requests).toBe(10_000)
    expect(placesWithin(Infinity, 10_000)).toMatchObject({ requests: 10_000, connections: Infinity })
    expect(placesWithin(64, 10_000)).toMatchObject({ requests: 1, connections: 2 })
  },
)
