import { expect, it } from 'vitest'
import { countRooms } from './rooms.ts'
import { readSource } from './source-files.ts'

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
