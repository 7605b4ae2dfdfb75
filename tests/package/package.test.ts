// @module-tag slow
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { updateSelf } from '@sluice/contract/routes/account'
import { createChannel } from '@sluice/contract/routes/channels'
import { createToken } from '@sluice/contract/routes/tokens'
import { type Emulator, startEmulator } from '@sluice/testkit/emulator/server'
import { clientWith } from '@sluice/testkit/management-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentProblems } from '../../tools/package/contents.ts'
import {
  command,
  followLink,
  interrupt,
  launched,
  MANIFEST,
  npmProblem,
  npxSluice,
  packInto,
  unpackIn,
  userEnvironment,
} from './packed.ts'

/** The npm package as a user without a clone gets it. All their folders have spaces and non-ASCII characters in their names. */
const ROOT = join(import.meta.dirname, '..', '..')
const base = await mkdtemp(join(tmpdir(), 'sluice-package-'))
const folder = join(base, 'ein Ordner für 网关')
const user = await userEnvironment(join(base, 'zu Hause'))
let unpacked = ''
let emulator: Emulator
beforeAll(async () => {
  await packInto(folder)
  unpacked = await unpackIn(folder)
  emulator = await startEmulator()
}, 300_000)
afterAll(async () => {
  await emulator.close()
  await rm(base, { recursive: true, force: true })
})

/** Imported on demand; the package must work without it, as here. */
const OPTIONAL = new Set(['@node-rs/xxhash'])

const problem = await npmProblem(user)
if (problem !== undefined) console.log(`not tested with npx: ${problem}`)

describe('the files', () => {
  it('are the program, the console, a launcher and three pages: nothing else', { tags: ['S20', 'S30'] }, async () => {
    const entries = await readdir(unpacked, { recursive: true, withFileTypes: true })
    const files = new Map<string, number>()
    for (const entry of entries) {
      if (entry.isDirectory()) continue
      expect(entry.isFile(), entry.name).toBe(true)
      const path = join(entry.parentPath, entry.name)
      files.set(relative(unpacked, path).split(sep).join('/'), (await stat(path)).size)
      expect((await readFile(path)).includes(ROOT), `${path} names a path of this machine`).toBe(false)
    }
    expect(contentProblems(files)).toEqual([])
  })

  it('need no package but a Node, and run nothing when they are installed', { tags: 'S30' }, async () => {
    const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).toMatchObject({ version: MANIFEST.version, optionalDependencies: MANIFEST.optionalDependencies })
    for (const field of ['scripts', 'dependencies', 'peerDependencies', 'bundleDependencies']) {
      expect(manifest[field], field).toBeUndefined()
    }
    for (const version of Object.values(MANIFEST.optionalDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    const bundle = join(unpacked, 'apps', 'gateway', 'dist', 'sluice')
    for (const file of [
      ...(await readdir(bundle)).map((name) => join(bundle, name)),
      join(unpacked, 'bin', 'sluice.mjs'),
    ]) {
      const source = await readFile(file, 'utf8')
      const imported = source.matchAll(
        /^(?:import|export)\b[^;'"]*?from\s*["']([^"']+)["']|\bimport\(["']([^"']+)["']\)/gm,
      )
      for (const [, fixed = '', later = fixed] of imported) {
        if (!OPTIONAL.has(later)) expect(later, file).toMatch(/^(\.\/|node:|[a-z_]+(\/promises)?$)/)
      }
    }
  })

  it('name the licence of every package inside', async () => {
    const notice = await readFile(join(unpacked, 'NOTICE.md'), 'utf8')
    for (const name of ['pino', 'pg', 'undici', 'mysql2', 'react', 'gpt-tokenizer', 'dompurify', 'tailwindcss']) {
      expect(notice).toMatch(new RegExp(`^- ${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'))
    }
    expect(notice).toContain('Apache License')
  })
})

describe.skipIf(problem !== undefined)('npx sluice', () => {
  it('serves, signs in by its link, relays, and is found again after a stop', { timeout: 600_000 }, async () => {
    const { HOME: home = '' } = user
    const env = { ...user, SLUICE_LOG_LEVEL: 'warn' }
    const seconds = stopwatch()
    const first = await npxSluice(folder, ['--port', '0'], env)
    const [, url = ''] = first.ready
    expect(await (await fetch(url)).text()).toContain('<!doctype html>')
    seconds('first page')
    const root = clientWith(url, await followLink(first))
    seconds('signed in')
    const models = ['emu-fast']
    const channel = { name: 'emulator', type: 50, key: 'sk-emulator', base_url: emulator.url, models: models.join(',') }
    const prices = JSON.stringify({ 'emu-fast': { ratio: 1, completion_ratio: 2 } })
    await root.call(createChannel, { body: { ...channel, model_configs: prices } })
    const { key } = await root.call(createToken, { body: { name: 'first', unlimited_quota: true } })
    const chat = (to: string) =>
      fetch(`${to}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'emu-fast', messages: [{ role: 'user', content: 'Hello' }] }),
      })
    expect((await chat(url)).status).toBe(200)
    seconds('first request')
    expect(await readdir(join(home, '.local', 'share', 'sluice'))).toContain('master.key')
    await first.stop(60_000)
    await expect
      .poll(() =>
        fetch(url).then(
          () => 'answers',
          () => 'gone',
        ),
      )
      .toBe('gone')
    seconds('stopped')

    const second = await npxSluice(folder, ['--port', '0'], env)
    seconds('started again')
    const [, again = '', link = ''] = second.ready
    expect(link, 'root has not set a password').toMatch(/#once=[\w-]{43}$/)
    expect((await chat(again)).status).toBe(200)
    const body = { password: 'a password of my own' }
    await clientWith(again, await followLink(second)).call(updateSelf, { body })
    interrupt(second)
    await expect
      .poll(() =>
        fetch(again).then(
          () => 'answers',
          () => 'gone',
        ),
      )
      .toBe('gone')
    expect(second.output()).toContain('Sluice is stopping (SIGINT)')
    expect(await command(unpacked, ['ledger', 'verify'], { HOME: home })).toMatchObject({
      code: 0,
      output: expect.stringContaining('The ledger is correct.') as string,
    })
    console.log(`npx sluice, seconds after the one before: ${seconds.said.join(', ')}`)
  })
})

describe('the launcher', () => {
  it('starts and commands work where nothing but the data can be written', { timeout: 180_000 }, async () => {
    const before = await snapshotOf(unpacked)
    const env = { HOME: '/dev/null', XDG_CACHE_HOME: '/dev/null/cache', TMPDIR: '/dev/null/tmp' }
    const data = join(base, 'nur Daten')
    const gateway = await launched(unpacked, ['--port', '0', '--data', data], env)
    await followLink(gateway)
    expect(await gateway.stop(60_000)).toBe(0)
    expect(await command(unpacked, ['ledger', 'verify', '--data', data], env)).toMatchObject({ code: 0 })
    expect(await snapshotOf(unpacked), 'the package is as it was').toEqual(before)
  })

  it('takes the folder of --data before SLUICE_DATA_DIR, and that before the home', async () => {
    const env = { HOME: join(base, 'h'), XDG_DATA_HOME: join(base, 'xdg') }
    const missing = async (args: readonly string[], more = {}) =>
      (await command(unpacked, args, { ...env, ...more })).output
    expect(await missing(['ledger', 'verify'])).toContain(join(base, 'xdg', 'sluice', 'sluice.db'))
    const set = { SLUICE_DATA_DIR: join(base, 'set') }
    expect(await missing(['ledger', 'verify'], set)).toContain(join(base, 'set', 'sluice.db'))
    const given = join(base, 'given')
    expect(await missing(['--data', given, 'ledger', 'verify'], set)).toContain(join(given, 'sluice.db'))
    expect(await missing(['ledger', 'verify', '--data', given], set)).toContain(join(given, 'sluice.db'))
  })

  it(
    'prints no link when other machines can connect, or root has a password',
    { tags: 'S22', timeout: 180_000 },
    async () => {
      const env = { HOME: join(base, 'open') }
      const open = await launched(unpacked, ['--port', '0', '--host', '0.0.0.0'], env)
      await open.stop(60_000)
      expect(open.output()).toContain('root has no password')
      expect(open.output()).not.toMatch(/once=|123456/)
      const password = await launched(unpacked, ['--port', '0'], { ...env, SLUICE_ROOT_PASSWORD: 'of the environment' })
      await password.stop(60_000)
      expect(password.output()).not.toMatch(/once=|123456/)
    },
  )

  it('says its version, its commands, and what is wrong with others', async () => {
    const env = { HOME: join(base, 'h') }
    expect(await command(unpacked, ['--version'], env)).toEqual({ code: 0, output: `${MANIFEST.version}\n` })
    const help = await command(unpacked, ['--help'], env)
    expect(help.code).toBe(0)
    for (const name of ['serve', 'backup', 'ledger', '--data <folder>']) expect(help.output).toContain(name)
    const wrong = [
      [['sevre'], 'There is no command "sevre"; "sluice --help" lists them all.'],
      [['--port', '70000'], "error: option '--port <port>' argument '70000' is invalid. It must be at most 65535."],
      [['serve', '--prot', '1'], "error: unknown option '--prot'"],
      [['--data', ''], "error: option '--data <folder>' argument '' is invalid. It must not be empty."],
    ] as const
    for (const [args, sentence] of wrong) {
      const { code, output } = await command(unpacked, args, env)
      expect(output).toContain(sentence)
      expect(code).toBe(1)
    }
  })
})

/** Prints the duration of each step, in tenths of a second. */
function stopwatch() {
  const said: string[] = []
  let last = performance.now()
  const lap = (step: string): void => {
    const now = performance.now()
    said.push(`${step} ${((now - last) / 1_000).toFixed(1)}`)
    last = now
  }
  return Object.assign(lap, { said })
}

async function snapshotOf(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return await Promise.all(
    entries.map(async (entry) => {
      const path = join(entry.parentPath, entry.name)
      const { size, mtimeMs } = await stat(path)
      return `${path} ${size} ${mtimeMs}`
    }),
  )
}
