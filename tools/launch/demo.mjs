/** `npm run demo`: a gateway with a seeded database, next to a provider emulator. */
import { pickNode } from './run-program.mjs'
import { buildConsole, buildGateway, installPackages, ROOT, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode(ROOT)
const [program] = await Promise.all([buildGateway(node), buildConsole(node)])
process.exitCode = await runProgram(node, 'tools/demo/demo.ts', process.argv.slice(2), { SLUICE_TEST_GATEWAY: program })
