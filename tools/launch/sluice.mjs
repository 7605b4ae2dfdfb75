/** `npm run sluice -- <command>`: the operator's command line, such as `npm run sluice -- ledger verify`. */
import { pickNode } from './run-program.mjs'
import { buildGateway, installPackages, ROOT, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode(ROOT)
process.exitCode = await runProgram(node, await buildGateway(node), process.argv.slice(2))
