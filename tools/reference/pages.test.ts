import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { referencePages } from './pages.ts'

/** Written by tests that meet what these tell of, and that fail when they are stale. */
const BY_TESTS = ['faults.md']
const FOLDER = new URL('../../docs/reference/', import.meta.url)

test('every generated page says what the code says', async () => {
  for (const [name, text] of await referencePages())
    expect(await readFile(new URL(name, FOLDER), 'utf8'), name).toBe(text)
})

test('the folder holds generated pages only', async () => {
  expect((await readdir(FOLDER)).toSorted()).toEqual([...(await referencePages()).keys(), ...BY_TESTS].toSorted())
})
