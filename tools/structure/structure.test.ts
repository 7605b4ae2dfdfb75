import { join } from 'node:path'
import { expect, it } from 'vitest'
import { countRooms } from './rooms.ts'
import { readSource, readSources } from './source-files.ts'

it('finds few long functions and few files of a few lines in the sources', () => {
  const sources = readSources(join(import.meta.dirname, '../..'))
  const longer = (lines: number) =>
    sources.flatMap(({ path, functions }) => functions.filter((each) => each > lines).map((each) => `${path}: ${each}`))
  expect(longer(120)).toEqual([])
  expect(longer(60).length).toBeLessThanOrEqual(40)
  expect(sources.filter(({ lines }) => lines < 30).length).toBeLessThanOrEqual(200)
})

it('finds the lines, the functions and the imports of a source', () => {
  const text = `import type { A } from '../a/one.ts'
import { join } from 'node:path'
export { b } from './b.ts'

export function outer(): void {
  const inner = (): string =>
    join(
      'x',
    )
  inner()
}
const load = () => import('./late.ts')
import { c } from '~/lib/c.ts'
`
  expect(readSource('packages/x/src/room/here.ts', text)).toEqual({
    path: 'packages/x/src/room/here.ts',
    lines: 13,
    functions: [7, 4, 1],
    imports: [
      'packages/x/src/a/one.ts',
      'packages/x/src/room/b.ts',
      'packages/x/src/room/late.ts',
      'apps/console/src/lib/c.ts',
    ],
  })
})

it('counts what rooms of a folder import of each other, and which imports point back', () => {
  const file = (path: string, ...imports: string[]) => ({ path: `in/${path}`, lines: 1, functions: [], imports })
  const sources = [
    file('top.ts', 'in/middle/a.ts', 'in/ground/c.ts'),
    file('middle/a.ts', 'in/ground/c.ts', 'in/middle/b.ts', 'elsewhere/d.ts'),
    file('middle/b.ts', 'in/ground/c.ts'),
    file('ground/c.ts', 'in/middle/a.ts'),
    file('apart/e.ts'),
  ]
  const { rooms, linked, mutual, back } = countRooms(sources, 'in')
  expect({ rooms, linked, mutual }).toEqual({ rooms: 4, linked: 3, mutual: ['ground ↔ middle'] })
  expect(back).toHaveLength(1)
  expect(countRooms(sources.slice(0, 3), 'in').back).toEqual([])
})
