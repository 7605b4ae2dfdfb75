import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createMasterKeyFile, parseMasterKeys, readMasterKeyFile } from './master-key.ts'

const directory = mkdtempSync(join(tmpdir(), 'sluice-key-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('master keys as text', () => {
  const bytes = Buffer.alloc(32, 7)

  test.each(['hex', 'base64', 'base64url'] as const)('can be written in %s', (encoding) => {
    expect(parseMasterKeys(`  ${bytes.toString(encoding)}\n`)).toEqual([bytes])
  })

  test('come newest first, separated by commas or lines', () => {
    const other = Buffer.alloc(32, 8)
    const text = `${bytes.toString('hex')}, ${other.toString('base64')}\n${bytes.toString('base64')}`
    expect(parseMasterKeys(text)).toEqual([bytes, other, bytes])
  })

  test.each([
    '',
    ' , ',
    'secret',
    'ab'.repeat(31),
    Buffer.alloc(33).toString('base64'),
    `${bytes.toString('base64')}!`,
  ])('are refused when they are %j', (text) => {
    expect(parseMasterKeys(text)).toEqual({ problem: expect.stringMatching(/master key/) })
  })
})

describe('the key file', () => {
  test('is created only on request and never by reading, for its owner only', { tags: 'S46' }, async () => {
    const path = join(directory, 'new', 'master.key')
    expect(await readMasterKeyFile(path)).toBeUndefined()
    const created = await createMasterKeyFile(path)
    expect(await readMasterKeyFile(path)).toEqual(created)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(directory, 'new'))).toEqual(['master.key'])
  })

  test('is the same for all processes that start together', async () => {
    const path = join(directory, 'race.key')
    const keys = await Promise.all(Array.from({ length: 8 }, () => createMasterKeyFile(path)))
    expect(new Set(keys.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  test('that holds something else is reported as a problem, not replaced', async () => {
    const path = join(directory, 'broken.key')
    writeFileSync(path, 'not a key\n')
    expect(await readMasterKeyFile(path)).toHaveProperty('problem')
    expect(statSync(path).size).toBe('not a key\n'.length)
  })
})
