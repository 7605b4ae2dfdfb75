/** `npm run sluice -- <command>`: the operator's command line, for instance `npm run sluice -- ledger verify`. */
import { installPackages, pickNode, runTypescript } from './setup.mjs'

await installPackages()
process.exitCode = await runTypescript(pickNode(), 'apps/gateway/src/cli/sluice.ts', process.argv.slice(2))
