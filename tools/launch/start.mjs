/** `npm start`: everything that is missing is set up, then console and API run on one port. */
import { buildConsole, buildGateway, installPackages, pickNode, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode()
const [program] = await Promise.all([buildGateway(node), buildConsole(node)])
process.exitCode = await runProgram(node, program, ['serve', ...process.argv.slice(2)])
