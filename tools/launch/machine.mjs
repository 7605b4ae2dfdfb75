/** Programs that only tests and the bench need. Installed ones are used; otherwise they are installed where that is allowed. */
import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fail, run } from './run-program.mjs'

/** Path of a Chromium for the browser tests, preferably headless: the same engine with 40 % less processor time. */
export function findBrowser() {
  const { SLUICE_TEST_CHROMIUM, LOCALAPPDATA = '', ProgramFiles = '' } = process.env
  const places = () => [
    SLUICE_TEST_CHROMIUM,
    ...onPath(
      'chromium-headless-shell',
      'chromium',
      'chromium-browser',
      'google-chrome',
      'google-chrome-stable',
      'chrome',
      'msedge',
    ),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    join(ProgramFiles, 'Google', 'Chrome', 'Application', 'chrome.exe'),
    ...below(join(homedir(), '.cache', 'ms-playwright'), /^chromium-/, 'chrome-linux/chrome'),
    ...below(join(homedir(), '.cache', 'ms-playwright'), /^chromium-/, 'chrome-linux64/chrome'),
    ...below(join(LOCALAPPDATA, 'ms-playwright'), /^chromium-/, 'chrome-win/chrome.exe'),
  ]
  const packages = ['chromium-headless-shell', 'chromium']
  return find('The browser tests need Chromium', places, packages, 'SLUICE_TEST_CHROMIUM')
}

/** Folder of `initdb` and `postgres`, for the suites that run on PostgreSQL; undefined when a server is named instead. */
export async function findPostgres() {
  if (process.env.SLUICE_TEST_POSTGRES_URL) return undefined
  const server = process.platform === 'win32' ? 'postgres.exe' : 'postgres'
  const places = () =>
    [
      // Debian keeps the server outside PATH, in a folder per version.
      ...below('/usr/lib/postgresql', /^\d+$/, 'bin/initdb'),
      ...below('/opt/homebrew/opt', /^postgresql@\d+$/, 'bin/initdb'),
      ...onPath('initdb'),
    ].filter((path) => existsSync(join(path, '..', server)))
  return join(
    await find('The contract suites need PostgreSQL', places, ['postgresql'], 'SLUICE_TEST_POSTGRES_URL'),
    '..',
  )
}

/** Path of MariaDB's server, from which import tests read; undefined when a server is named instead. */
export async function findMariadb() {
  if (process.env.SLUICE_TEST_MYSQL_URL) return undefined
  const places = () => [...onPath('mariadbd'), '/usr/sbin/mariadbd', '/usr/local/sbin/mariadbd']
  return await find('The tests of imports need MariaDB', places, ['mariadb-server'], 'SLUICE_TEST_MYSQL_URL')
}

/** Path of nginx, which the bench compares with the gateway and the tests put in front of replicas. */
export function findNginx(need = 'The bench needs nginx', variable = 'BENCH_NGINX') {
  const places = () => [process.env[variable], ...onPath('nginx'), '/usr/sbin/nginx', '/usr/local/sbin/nginx']
  return find(need, places, ['nginx-light'], variable)
}

/** Path of a Valkey or Redis server, which replicas in the tests share. */
export function findValkey() {
  const places = () => [process.env.SLUICE_TEST_VALKEY, ...onPath('valkey-server', 'redis-server')]
  const packages = ['redis-server', 'valkey-server']
  return find('The tests of several replicas need Valkey or Redis', places, packages, 'SLUICE_TEST_VALKEY')
}

/** Path of SQLite's own shell, with which tests read and copy a running gateway's files. */
export function findSqlite() {
  const places = () => [process.env.SLUICE_TEST_SQLITE3, ...onPath('sqlite3')]
  return find('The tests of backups need the SQLite shell', places, ['sqlite3'], 'SLUICE_TEST_SQLITE3')
}

/**
 * Returns the first of the places that exists; otherwise installs a system package, which only root on a Debian-like system may do.
 *
 * @param {string} need start of the message when nothing helps
 * @param {() => (string | undefined)[]} places checked again after an installation
 * @param {string[]} packageNames tried in order until one provides it
 * @param {string} variable by which the user can name one
 */
async function find(need, places, packageNames, variable) {
  const found = () => places().find((path) => path && existsSync(path))
  const path = found()
  if (path) return path
  if (process.getuid?.() === 0 && onPath('apt-get').some(existsSync)) {
    const options = {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    }
    await run('apt-get', ['update', '-qq'], options)
    for (const name of packageNames) {
      process.stdout.write(`Installing ${name}…\n`)
      await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], options)
      const installed = found()
      if (installed) return installed
    }
  }
  return fail(`${need}: install it (Debian package ${packageNames.join(' or ')}) or set ${variable}.`)
}

function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  const endings = process.platform === 'win32' ? ['.exe'] : ['']
  return names.flatMap((name) => folders.flatMap((folder) => endings.map((ending) => join(folder, name + ending))))
}

/** `<folder>/<name that fits>/<rest>`, newest name first. */
function below(folder, fits, rest) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => fits.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => join(folder, name, ...rest.split('/')))
}
