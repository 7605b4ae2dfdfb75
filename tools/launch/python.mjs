/** Python clients, for tests on machines with Python. None of them is part of the product. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fingerprint, ROOT } from './setup.mjs'

const FOLDER = join(ROOT, 'tests', 'python')
const REQUIREMENTS = join(FOLDER, 'requirements.txt')
/** Only wheels with known hashes: nothing is built, none of their code runs. A mirror that is down must not cost minutes. */
const PIP =
  '-m pip install --quiet --no-input --disable-pip-version-check --no-compile --require-hashes --no-deps --only-binary :all: --timeout 15 --retries 1'.split(
    ' ',
  )
const CHECK = 'import sys, venv, ensurepip; print(sys.version); sys.exit(sys.version_info < (3, 10))'
const CHECK_MS = 10_000
const INSTALL_MS = 240_000

/** Creates the tests' virtual environment if it is missing; prints one line if it cannot. Never fails. */
export async function preparePython(folder = FOLDER, names = [process.env.SLUICE_TEST_PYTHON, 'python3', 'python']) {
  const python = await findPython(names.filter(Boolean))
  if (python === undefined) return skip('no Python 3.10 or newer with venv is installed (Debian package python3-venv)')
  const environment = join(folder, '.venv')
  const stamp = join(environment, '.made-from')
  const sources = `${fingerprint([REQUIREMENTS])} ${python.version}`
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return undefined
  process.stdout.write('Installing clients for Python…\n')
  rmSync(environment, { recursive: true, force: true })
  const own = join(environment, ...(process.platform === 'win32' ? ['Scripts', 'python.exe'] : ['bin', 'python']))
  try {
    await execute(python.name, ['-m', 'venv', environment], INSTALL_MS)
    await execute(own, [...PIP, '-r', REQUIREMENTS], INSTALL_MS)
  } catch (error) {
    return skip(`their packages could not be installed: ${lastLine(error.stderr || error.message)}`)
  }
  // The last step, so that an interrupted installation does not count.
  writeFileSync(stamp, sources)
  return undefined
}

/** The first of the names that is new enough and can create environments. */
async function findPython(names) {
  for (const name of names) {
    const checked = await execute(name, ['-c', CHECK], CHECK_MS).catch(() => undefined)
    if (checked !== undefined) return { name, version: checked.stdout.trim() }
  }
  return undefined
}

const execute = (file, args, timeout) => promisify(execFile)(file, args, { timeout, windowsHide: true })

const lastLine = (text) => String(text).trim().split('\n').at(-1)

/** Prints the line, and returns it for tests. */
function skip(reason) {
  const line = `The tests of clients for Python are skipped: ${reason}.`
  process.stdout.write(`${line}\n`)
  return line
}
