import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { secretReference } from '@sluice/contract/configuration/document'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localSecrets, remoteSecrets } from '../../start/configuration-files.ts'

let folder: string
let server: Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-secrets-'))
  await mkdir(join(folder, 'data'))
  await writeFile(join(folder, 'data', 'master.key'), 'canary-master')
  await writeFile(join(folder, 'key'), 'sk-from-file\n')
  await writeFile(join(folder, 'large'), 'x'.repeat(500_001))
  await writeFile(join(folder, 'binary'), Uint8Array.of(0xff, 0xfe))
  await symlink(join(folder, 'data', 'master.key'), join(folder, 'link'))
  server = createServer()
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve))
})
afterAll(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

const ENVIRONMENT = {
  SLUICE_SECRET_A: 'sk-open',
  SLUICE_MASTER_KEY: 'canary-master',
  DATABASE_URL: 'canary-url',
  HOME: 'canary-home',
}
const find = async (text: string, from: 'here' | 'api') => {
  const reference = secretReference(text)
  if (reference === undefined) return 'no reference'
  const resolve = from === 'here' ? localSecrets(join(folder, 'data'), ENVIRONMENT) : remoteSecrets(ENVIRONMENT)
  const found = await resolve(reference)
  return 'value' in found ? found.value : found.problem
}

test(
  'a file on this machine refers to variables and files, but not to those of the gateway itself',
  { tags: 'S20' },
  async () => {
    expect(await find('${env:SLUICE_SECRET_A}', 'here')).toBe('sk-open')
    expect(await find('${env:HOME}', 'here')).toBe('canary-home')
    expect(await find(`\${file:${folder}/key}`, 'here')).toBe('sk-from-file')
    expect(await find('${env:SLUICE_MASTER_KEY}', 'here')).toBe(
      'refers to SLUICE_MASTER_KEY, which is a variable of the gateway itself',
    )
    expect(await find('${env:DATABASE_URL}', 'here')).toBe(
      'refers to DATABASE_URL, which is a variable of the gateway itself',
    )
    for (const name of ['data/master.key', 'link', '../../proc/self/environ']) {
      expect(await find(`\${file:${folder}/${name}}`, 'here')).toMatch(/is in the data directory|not a file on disk/)
    }
    expect(await find('${file:/proc/self/environ}', 'here')).toContain('is not a file on disk')
  },
)

test('a reference to what is no file of text ends at once, with a sentence', async () => {
  expect(await find(`\${file:${folder}/socket}`, 'here')).toMatch(/cannot be read|is not a regular file/)
  expect(await find(`\${file:${folder}}`, 'here')).toMatch(/is not a regular file|data directory/)
  expect(await find(`\${file:${folder}/large}`, 'here')).toContain('is larger than 500000 bytes')
  expect(await find(`\${file:${folder}/binary}`, 'here')).toContain('is not UTF-8')
  expect(await find(`\${file:${folder}/none}`, 'here')).toContain('does not exist')
})

test('a file that comes over the API refers to open variables only', { tags: 'S20' }, async () => {
  expect(await find('${env:SLUICE_SECRET_A}', 'api')).toBe('sk-open')
  for (const text of ['${env:HOME}', '${env:SLUICE_MASTER_KEY}', '${env:DATABASE_URL}', `\${file:${folder}/key}`]) {
    expect(await find(text, 'api')).toMatch(/^may (only|not) refer to/)
  }
  expect(await find('${env:__proto__}', 'here')).toContain('is not set')
})

test.each(['${env:}', '${env:A B}', '${env:A}x', ' ${env:A}', '${file:rel}', '${file:/a\nb}', '${vault:x}', '$env:A'])(
  '%s is no reference',
  async (text) => {
    expect(await find(text, 'here')).toBe('no reference')
  },
)
