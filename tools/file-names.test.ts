import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** Names that say nothing about what a file holds. */
const EMPTY_NAMES = /(^|[-./])(utils?|helpers?|common|misc|shared|manager|service|index)([-./]|$)/

const sources = globSync('{apps,packages,tools,bench,tests}/**/*.{ts,tsx,mjs}', { cwd: ROOT, exclude: isForeign })

function isForeign(path: string): boolean {
  return /(^|\/)(node_modules|dist)(\/|$)/.test(path)
}

it('finds the sources', () => {
  expect(sources).toContain(join('tools', 'file-names.test.ts'))
  expect(sources.length).toBeGreaterThan(50)
})

it('names every file by what it holds', () => {
  // the router derives addresses from the names below routes/
  const named = sources.filter((path) => !path.includes('/src/routes/'))
  expect(named.filter((path) => EMPTY_NAMES.test(path))).toEqual([])
})
