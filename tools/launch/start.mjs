/** `npm start`: everything that is missing is set up, then console and API run on one port. */
import { pickNode } from './run-program.mjs'
import { buildConsole, buildGateway, installPackages, ROOT, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode(ROOT)
const [program] = await Promise.all([buildGateway(node), buildConsole(node)])
process.exitCode = await runProgram(node, program, ['serve', ...process.argv.slice(2)])
