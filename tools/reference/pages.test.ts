import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generatedFiles, referencePages } from './pages.ts'

/** Written by the tests that exercise their content, which fail when a page is stale. */
const BY_TESTS = ['faults.md']
const FOLDER = new URL('../../docs/reference/', import.meta.url)

test('every generated page says what the code says', async () => {
  for (const [path, text] of generatedFiles())
    expect(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'), `${path}; npm run fix writes it`).toBe(
      text,
    )
})

test('the folder holds generated pages only', async () => {
  expect((await readdir(FOLDER)).toSorted()).toEqual([...referencePages().keys(), ...BY_TESTS].toSorted())
})
