/** `npm run bench`: the gateway beside a direct call, nginx and another gateway, measured in one run. */
import { join } from 'node:path'
import { findNginx } from './machine.mjs'
import { installPackages, pickNode, ROOT, runTypescript } from './setup.mjs'

await installPackages()
await installPackages(join(ROOT, 'bench', 'peers'))
const env = { BENCH_NGINX: await findNginx() }
process.exitCode = await runTypescript(pickNode(), 'bench/bench.ts', process.argv.slice(2), env)
