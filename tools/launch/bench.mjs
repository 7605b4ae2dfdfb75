/**
 * `npm run bench`: the gateway beside a direct call, nginx and another gateway, measured in one run.
 * `npm run bench -- ledger`: the ledger beside a plain version with a transaction per request.
 * `npm run bench -- dialects`: streams told in another dialect beside streams passed on.
 * `npm run bench -- streams`: thousands of slow streams at once on one process.
 * `npm run bench -- routing`: what it costs to choose a channel, and to know how channels do.
 */
import { delimiter, join } from 'node:path'
import { findNginx, findPostgres } from './machine.mjs'
import { buildGateway, installPackages, pickNode, ROOT, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode()
const gateway = { SLUICE_TEST_GATEWAY: await buildGateway(node) }
const [what, ...rest] = process.argv.slice(2)
if (what === 'ledger') {
  const path = [await findPostgres(), process.env.PATH].filter(Boolean).join(delimiter)
  process.exitCode = await runProgram(node, 'bench/ledger.ts', rest, { PATH: path })
} else if (what === 'streams') {
  process.exitCode = await runProgram(node, 'bench/slow-streams.ts', rest, gateway)
} else if (what === 'routing') {
  process.exitCode = await runProgram(node, 'bench/routing.ts', rest)
} else if (what === 'dialects') {
  process.exitCode = await runProgram(node, 'bench/dialects.ts', rest, gateway)
} else {
  await installPackages(join(ROOT, 'bench', 'peers'))
  const env = { ...gateway, BENCH_NGINX: await findNginx() }
  process.exitCode = await runProgram(node, 'bench/bench.ts', process.argv.slice(2), env)
}
