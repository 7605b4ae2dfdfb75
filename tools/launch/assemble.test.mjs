import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ROOT } from './setup.mjs'

const assemble = (...args) => promisify(execFile)(process.execPath, [join(ROOT, 'tools/launch/assemble.mjs'), ...args])

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-assemble-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it('writes into no folder that has something in it', async () => {
  await writeFile(join(folder, 'sluice.db'), 'data')
  await expect(assemble(folder)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
  expect(await readdir(folder)).toEqual(['sluice.db'])
})

it('says how it is called when a word is missing or unknown', async () => {
  for (const args of [[], [folder, '--with-nodes']]) {
    await expect(assemble(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Say where to') })
  }
})
