import { chmod, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openInBrowser } from './open-in-browser.ts'

const URL = 'http://127.0.0.1:3000/login#once=secret-token'
const { PATH, SLUICE_MASTER_KEY } = process.env

let folder = ''
let said: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-browser-'))
  said = []
})
afterEach(async () => {
  process.env['PATH'] = PATH
  if (SLUICE_MASTER_KEY === undefined) delete process.env['SLUICE_MASTER_KEY']
  await rm(folder, { recursive: true, force: true })
})

/** Installs a fake browser opener that records its arguments. */
async function installBrowser(exitCode = 0): Promise<() => Promise<string>> {
  const given = join(folder, 'given')
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" > "${given}.new"\nenv >> "${given}.new"\nmv "${given}.new" "${given}"\nexit ${exitCode}\n`
  for (const name of ['xdg-open', 'open']) {
    await writeFile(join(folder, name), script)
    await chmod(join(folder, name), 0o755)
  }
  process.env['PATH'] = `${folder}:${PATH}`
  return () => readFile(given, 'utf8')
}

/** Ignores later messages, because a browser may end when its folder is gone. */
function open() {
  const ofThis = said
  return openInBrowser(URL, join(folder, 'data'), (sentence) => ofThis.push(sentence))
}

describe.skipIf(process.platform === 'win32')('the browser', () => {
  it('is given a file that leads to the page, and neither the token nor our secrets', { tags: 'S20' }, async () => {
    const given = await installBrowser()
    process.env['SLUICE_MASTER_KEY'] = 'canary'
    const page = await open()
    const file = join(folder, 'data', 'open-console.html')
    await expect.poll(() => given().catch(() => '')).toContain(file)
    expect(await given()).not.toMatch(/secret-token|canary/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toContain(URL)
    await page.close()
    await expect(stat(file)).rejects.toThrow('ENOENT')
    expect(said).toEqual([])
  })

  it('is not led to a file of someone else', { tags: 'S20' }, async () => {
    await installBrowser()
    await (await open()).close()
    const foreign = join(folder, 'foreign')
    await writeFile(foreign, 'theirs')
    await symlink(foreign, join(folder, 'data', 'open-console.html'))
    await open()
    expect(await readFile(foreign, 'utf8')).toBe('theirs')
  })

  it('that cannot be opened is one sentence', async () => {
    process.env['PATH'] = folder
    await open()
    await expect.poll(() => said).toHaveLength(1)
    expect(said[0]).toMatch(
      /^No browser could be opened \((xdg-open|open): .*ENOENT\); open the address above yourself\.$/,
    )

    said = []
    await installBrowser(3)
    await open()
    await expect.poll(() => said).toEqual([expect.stringContaining(': exit code 3); open the address above')])

    said = []
    await writeFile(join(folder, 'file'), '')
    await openInBrowser(URL, join(folder, 'file'), (sentence) => said.push(sentence))
    expect(said).toEqual([expect.stringMatching(/^No browser could be opened \(E/)])
  })
})
