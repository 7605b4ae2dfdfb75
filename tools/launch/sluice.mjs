/** `npm run sluice -- <command>`: the operator's command line, for instance `npm run sluice -- ledger verify`. */
import { buildGateway, installPackages, pickNode, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode()
process.exitCode = await runProgram(node, await buildGateway(node), process.argv.slice(2))
