import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OWN_NAMES } from '../apps/gateway/src/edge/base-path.ts'

const ROOT = join(import.meta.dirname, '..')

const textsIn = (files: string, text: RegExp) =>
  globSync(files, { cwd: ROOT }).flatMap((file) => {
    const source = readFileSync(join(ROOT, file), 'utf8')
    return [...source.matchAll(text)].map(([, found = '']) => found)
  })

it('lets no base path begin like a route', () => {
  const names = textsIn('apps/console/src/routes/*.ts', /^ {2}path: '\/([\w-]+)/gm)
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !OWN_NAMES.has(name))).toEqual([])
})

it('looks at a screen of every route in both themes and all widths', () => {
  const routes = textsIn('apps/console/src/routes/*.ts', /^ {2}path: '([^']+)'/gm)
  // `tests/console/whole-console/look.spec.ts` checks that a screen shows the route that it names.
  const screens = new Set(textsIn('tests/console/screens/*.ts', /\broute: '([^']+)'/g))
  expect(routes.length).toBeGreaterThan(20)
  expect(routes.filter((route) => !screens.has(route))).toEqual([])
  expect([...screens].filter((route) => !routes.includes(route))).toEqual([])
})
