import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { preparePython } from './python.mjs'

/** Stand-ins for Python; `npm test` itself installs the real one's packages. */
describe.skipIf(process.platform === 'win32')('the environment for clients of Python', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-python-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** Passes the check; `venv` creates another of its kind, whose pip exits with `pip`. */
  async function python(pip) {
    const path = join(folder, 'python3')
    const script = `#!/bin/sh
case "$2" in
  venv) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; echo made >> ${join(folder, 'made')} ;;
  pip) ${pip} ;;
  *) echo 3.13 ;;
esac
`
    await writeFile(path, script)
    await chmod(path, 0o755)
    return path
  }

  it('is made once, and again after a change of the Python', async () => {
    const path = await python('true')
    expect(await preparePython(folder, [path])).toBeUndefined()
    expect(await preparePython(folder, [path])).toBeUndefined()
    expect(await readFile(join(folder, 'made'), 'utf8')).toBe('made\n')
  })

  it('is left out in one line where there is no Python, and where pip fails', async () => {
    expect(await preparePython(folder, [join(folder, 'none')])).toContain('no Python 3.10 or newer')
    const path = await python('echo first >&2; echo "no such host" >&2; exit 1')
    expect(await preparePython(folder, [path])).toContain('could not be installed: no such host.')
    // It is tried again next time.
    expect(await preparePython(folder, [path])).toContain('could not be installed')
  })
})
