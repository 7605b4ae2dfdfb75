/**
 * `npm test`: every check and every test. The last line is `N passed, N failed` over all tests; the exit code is 0 only when every
 * stage succeeded. `npm test -- --quick` is for runs between commits, `npm test -- --long` adds tests that not every change needs;
 * the output lists what is left out.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { checkStages } from './checks.mjs'
import { countPlaywright, countVitest } from './count-tests.mjs'
import { findBrowser, findMariadb, findNginx, findPostgres, findSqlite, findValkey } from './machine.mjs'
import { preparePython } from './python.mjs'
import { pickNode } from './run-program.mjs'
import { buildConsole, buildGateway, COMPILE_CACHE, installPackages, ROOT } from './setup.mjs'
import { printTable, runStages } from './stages.mjs'

/** What `--quick` leaves out; implemented by `vitest.config.ts` and tags. */
const LEFT_OUT = [
  'the browser',
  'PostgreSQL and MariaDB',
  'processes that are killed, and other tests tagged "slow"',
  'the SDKs of vendors but for three, all of Python',
  'laws that await, and of other long laws all but their first examples',
]

/** What only `--long` includes. */
const LEFT_TO_LONG = [
  'PGlite, beside PostgreSQL',
  'kill tests whose clients never pause',
  'configuration files: 200 random gateways instead of 30',
  'types and tests of copies of the tree with one more field of a channel or of a token, one more column of the log, one more option',
]

const isQuick = process.argv.includes('--quick')
const isLong = process.argv.includes('--long')
const started = performance.now()
await installPackages()
const node = pickNode(ROOT)
const [program] = await Promise.all([
  buildGateway(node),
  installPackages(join(ROOT, 'tests', 'clients')),
  ...(isQuick ? [] : [buildConsole(node), preparePython()]),
])
const env = {
  ...COMPILE_CACHE,
  SLUICE_TEST_GATEWAY: program,
  SLUICE_TEST_VALKEY: await findValkey(),
  ...(isQuick ? { SLUICE_TEST_QUICK: '1' } : await findSlowPrograms()),
  ...(isLong ? { SLUICE_TEST_LONG: '1' } : {}),
}
const setup = { stage: { name: 'set-up' }, code: 0, seconds: (performance.now() - started) / 1000 }

const reports = await mkdtemp(join(tmpdir(), 'sluice-reports-'))
const report = (name) => join(reports, `${name}.json`)
/** Tests that prove something about the whole product add their tables to it. */
const summary = join(reports, 'summary.txt')
const tool = (path) => join(ROOT, 'node_modules', ...path.split('/'))

const vitest = (project) => ({
  name: `tests, ${project}`,
  command: node,
  args: [
    tool('vitest/vitest.mjs'),
    'run',
    `--project=${project}`,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report(project)}`,
  ],
  env: { ...env, SLUICE_TEST_SUMMARY: summary },
  count: async () => countVitest(JSON.parse(await readFile(report(project), 'utf8')), ROOT),
})

const browser = {
  name: 'tests, browser',
  command: node,
  args: [tool('@playwright/test/cli.js'), 'test', '--reporter=dot,json'],
  env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report('browser') },
  alone: true,
  count: async () => countPlaywright(JSON.parse(await readFile(report('browser'), 'utf8'))),
}

// The product's tests mostly wait for processes, so the units and then the contracts run at the same time.
const stages = [
  ...checkStages(node),
  vitest('product'),
  vitest('units'),
  vitest('contract'),
  ...(isQuick ? [] : [browser]),
]
const results = [setup, ...(await runStages(stages))]
const proved = await readFile(summary, 'utf8').catch(() => '')
await rm(reports, { recursive: true, force: true })

process.stdout.write(proved)
printTable(results)
// Last, because readers of a build log start at its end.
for (const name of results.flatMap(({ count }) => count?.repeated ?? [])) {
  process.stdout.write(`passed at the second try only: ${name}\n`)
}
for (const name of results.flatMap(({ count }) => count?.names ?? [])) process.stdout.write(`failed: ${name}\n`)
const total = (field) => results.reduce((sum, { count }) => sum + (count?.[field] ?? 0), 0)
process.exitCode = results.some(({ code, count }) => code !== 0 || (count?.failed ?? 0) > 0) ? 1 : 0
if (isQuick) process.stdout.write(`\nleft out by --quick: ${LEFT_OUT.join('; ')}\n`)
if (!isLong) process.stdout.write(`\nleft to --long: ${LEFT_TO_LONG.join('; ')}\n`)
process.stdout.write(`\n${total('passed')} passed, ${total('failed')} failed\n`)

async function findSlowPrograms() {
  const postgres = await findPostgres()
  await findMariadb()
  return {
    SLUICE_TEST_CHROMIUM: await findBrowser(),
    SLUICE_TEST_SQLITE3: await findSqlite(),
    SLUICE_TEST_NGINX: await findNginx('The tests of several replicas need nginx', 'SLUICE_TEST_NGINX'),
    PATH: [postgres, process.env.PATH].filter(Boolean).join(delimiter),
  }
}
