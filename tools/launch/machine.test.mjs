import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ROOT } from './setup.mjs'

/** Searches run in a separate process, because a search that fails ends its process. */
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-machine-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const machine = JSON.stringify(join(ROOT, 'tools/launch/machine.mjs'))

function look(name, env) {
  const code = `import { ${name} } from ${machine}\nconsole.log(await ${name}())`
  return new Promise((resolve) => {
    const options = { env: { HOME: folder, PATH: join(folder, 'bin'), ...env } }
    execFile(process.execPath, ['--input-type=module', '-e', code], options, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, output: (stdout + stderr).trim() })
    })
  })
}

async function plant(path) {
  const file = join(folder, path)
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, '#!/bin/sh\n')
  await chmod(file, 0o755)
  return file
}

it('finds a browser on PATH', async () => {
  const chromium = await plant('bin/chromium')
  expect(await look('findBrowser', {})).toEqual({ code: 0, output: chromium })
})

it('prefers the headless browser', async () => {
  await plant('bin/chromium')
  const shell = await plant('bin/chromium-headless-shell')
  expect(await look('findBrowser', {})).toEqual({ code: 0, output: shell })
})

it('finds the newest browser that Playwright has downloaded', async () => {
  await plant('.cache/ms-playwright/chromium-999/chrome-linux/chrome')
  const newest = await plant('.cache/ms-playwright/chromium-1200/chrome-linux/chrome')
  expect(await look('findBrowser', {})).toEqual({ code: 0, output: newest })
})

it('trusts the path it is given', async () => {
  const chosen = await plant('elsewhere/my-browser')
  await plant('bin/chromium')
  expect(await look('findBrowser', { SLUICE_TEST_CHROMIUM: chosen })).toEqual({ code: 0, output: chosen })
})

it('says in one line what to install', async () => {
  expect(await look('findBrowser', {})).toEqual({
    code: 1,
    output:
      'The browser tests need Chromium: install it (Debian package chromium-headless-shell or chromium) or set SLUICE_TEST_CHROMIUM.',
  })
})

it('installs the system package where it may, and looks again', async () => {
  // In place of apt-get on a machine where we are root; it does not know the first package, and the second is one file.
  const chromium = join(folder, 'bin', 'chromium')
  const apt = await plant('bin/apt-get')
  await writeFile(apt, `#!/bin/sh\ncase "$*" in *" chromium") : > "${chromium}";; esac\nexit 0\n`)
  const { code, output } = await look('findBrowser', {})
  const isRoot = process.getuid?.() === 0
  expect({ code, last: output.split('\n').at(-1) }).toEqual(
    isRoot ? { code: 0, last: chromium } : { code: 1, last: expect.stringContaining('install it') },
  )
})

it('finds Valkey before Redis', async () => {
  await plant('bin/redis-server')
  const valkey = await plant('bin/valkey-server')
  expect(await look('findValkey', {})).toEqual({ code: 0, output: valkey })
})

it('leaves PostgreSQL alone when a server is named', async () => {
  const env = { SLUICE_TEST_POSTGRES_URL: 'postgres://tester@127.0.0.1:5432/postgres' }
  expect(await look('findPostgres', env)).toEqual({ code: 0, output: 'undefined' })
})
