import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** Names that say nothing about a file's content. */
const EMPTY_NAMES = /(^|[-./])(utils?|helpers?|common|misc|shared|manager|service|index)([-./]|$)/

/** In one folder, tests included; with more, a reader has to scroll. */
const MOST_FILES = 40

const sources = globSync('{apps,packages,tools,bench,tests}/**/*.{ts,tsx,mjs}', { cwd: ROOT, exclude: isForeign })

function isForeign(path: string): boolean {
  return /(^|\/)(node_modules|dist)(\/|$)/.test(path)
}

it('finds the sources', () => {
  expect(sources).toContain(join('tools', 'file-names.test.ts'))
  expect(sources.length).toBeGreaterThan(50)
})

it('names every file by what it holds', () => {
  // The router derives addresses from the names below routes/.
  const named = sources.filter((path) => !path.includes('/src/routes/'))
  expect(named.filter((path) => EMPTY_NAMES.test(path))).toEqual([])
})

it('keeps every folder small enough to be read at a glance', () => {
  const counts = Map.groupBy(sources, (path) => dirname(path))
  expect([...counts].filter(([, files]) => files.length > MOST_FILES).map(([folder]) => folder)).toEqual([])
})

it('gives no two files of a folder the same stem', () => {
  const stems = sources
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map((path) => path.replace(/\.tsx?$/, ''))
  expect(stems.filter((stem, at) => stems.indexOf(stem) !== at)).toEqual([])
})

it('finds every file that the glossary names', () => {
  const glossary = readFileSync(join(ROOT, 'docs', 'glossary.md'), 'utf8')
  const named = [...glossary.matchAll(/`((?:packages|apps|relay|management)\/[^`]+)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(30)
  const paths = named.map((path) => (/^(relay|management)\//.test(path) ? `apps/gateway/src/${path}` : path))
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
