import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FINDINGS } from '@sluice/contract/findings/catalogue'
import { beforeAll, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
/** Folders with the tests that create what the doctor finds. */
const FOLDERS = ['apps/gateway/src/doctor', 'tests/doctor']

let sources = ''
beforeAll(async () => {
  for (const folder of FOLDERS) {
    const names = await readdir(join(ROOT, folder), { recursive: true })
    const tests = names.filter((name) => name.endsWith('.test.ts'))
    for (const name of tests) sources += await readFile(join(ROOT, folder, name), 'utf8')
  }
})

it.each(Object.keys(FINDINGS))('a test creates what %s is about', (id) => {
  expect(sources.includes(`'${id}'`)).toBe(true)
})
