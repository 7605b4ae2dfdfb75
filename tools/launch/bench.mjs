/**
 * `npm run bench` compares the gateway with a direct call, nginx and other gateways in one run. With a word after `--`:
 * - `ledger`: the ledger against a plain version with a transaction per request
 * - `dialects`: translated streams against streams that are passed on
 * - `streams`: thousands of slow streams at once on one process
 * - `console`: how soon pages can be used, and how long they block a slow machine
 * - `routing`: the cost of choosing a channel, and of tracking channel health
 * - `sessions`: an agent's session over a websocket against POSTs
 * - `replicas`: a call on PostgreSQL with one, two and four gateway processes, beside SQLite
 * - `import`: how fast a large gateway is imported, against a plain copy
 */
import { delimiter, join } from 'node:path'
import { findBrowser, findNginx, findPostgres } from './machine.mjs'
import { pickNode, run } from './run-program.mjs'
import { buildConsole, buildGateway, installPackages, ROOT, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode(ROOT)
const gateway = { SLUICE_TEST_GATEWAY: await buildGateway(node) }
const [what, ...rest] = process.argv.slice(2)
if (what === 'ledger' || what === 'replicas') {
  const path = [await findPostgres(), process.env.PATH].filter(Boolean).join(delimiter)
  process.exitCode = await runProgram(node, `bench/${what}.ts`, rest, { ...gateway, PATH: path })
} else if (what === 'streams') {
  process.exitCode = await runProgram(node, 'bench/slow-streams.ts', rest, gateway)
} else if (what === 'console') {
  await buildConsole(node)
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const env = { ...process.env, ...gateway, SLUICE_TEST_CHROMIUM: await findBrowser() }
  process.exitCode = await run(node, [cli, 'test', '--config=bench/console/bench.config.ts', ...rest], {
    cwd: ROOT,
    env,
  })
} else if (what === 'sessions') {
  process.exitCode = await runProgram(node, 'bench/agent-sessions.ts', rest, gateway)
} else if (what === 'routing') {
  process.exitCode = await runProgram(node, 'bench/routing.ts', rest)
} else if (what === 'import') {
  process.exitCode = await runProgram(node, 'bench/import.ts', rest, gateway)
} else if (what === 'dialects') {
  process.exitCode = await runProgram(node, 'bench/dialects.ts', rest, gateway)
} else {
  await installPackages(join(ROOT, 'bench', 'peers'))
  const env = { ...gateway, BENCH_NGINX: await findNginx() }
  process.exitCode = await runProgram(node, 'bench/bench.ts', process.argv.slice(2), env)
}
