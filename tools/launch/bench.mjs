/** `npm run bench`: the gateway beside a direct call, nginx and another gateway, measured in one run. */
import { join } from 'node:path'
import { findNginx } from './machine.mjs'
import { installPackages, pickNode, ROOT, run, typescript } from './setup.mjs'

await installPackages()
await installPackages(join(ROOT, 'bench', 'peers'))
const env = { ...process.env, BENCH_NGINX: await findNginx() }
process.exitCode = await run(pickNode(), typescript('bench/bench.ts', process.argv.slice(2)), { env })
