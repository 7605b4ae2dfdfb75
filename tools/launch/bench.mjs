/**
 * `npm run bench`: the gateway beside a direct call, nginx and another gateway, measured in one run.
 * `npm run bench -- ledger`: the ledger beside a plain version with a transaction per request.
 * `npm run bench -- dialects`: streams told in another dialect beside streams passed on.
 * `npm run bench -- streams`: thousands of slow streams at once on one process.
 * `npm run bench -- routing`: what it costs to choose a channel, and to know how channels do.
 */
import { delimiter, join } from 'node:path'
import { findNginx, findPostgres } from './machine.mjs'
import { installPackages, pickNode, ROOT, runTypescript } from './setup.mjs'

await installPackages()
const [what, ...rest] = process.argv.slice(2)
if (what === 'ledger') {
  const path = [await findPostgres(), process.env.PATH].filter(Boolean).join(delimiter)
  process.exitCode = await runTypescript(pickNode(), 'bench/ledger.ts', rest, { PATH: path })
} else if (what === 'streams') {
  process.exitCode = await runTypescript(pickNode(), 'bench/slow-streams.ts', rest)
} else if (what === 'routing') {
  process.exitCode = await runTypescript(pickNode(), 'bench/routing.ts', rest)
} else if (what === 'dialects') {
  process.exitCode = await runTypescript(pickNode(), 'bench/dialects.ts', rest)
} else {
  await installPackages(join(ROOT, 'bench', 'peers'))
  const env = { BENCH_NGINX: await findNginx() }
  process.exitCode = await runTypescript(pickNode(), 'bench/bench.ts', process.argv.slice(2), env)
}
