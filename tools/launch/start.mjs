/** `npm start`: sets up everything that is missing, then runs console and API on one port. */
import { pickNode } from './run-program.mjs'
import { buildConsole, buildGateway, installPackages, ROOT, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode(ROOT)
const [program] = await Promise.all([buildGateway(node), buildConsole(node)])
process.exitCode = await runProgram(node, program, ['serve', ...process.argv.slice(2)])
