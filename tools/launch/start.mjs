/** `npm start`: everything that is missing is set up, then console and API run on one port. */
import { buildConsole, installPackages, pickNode, run, typescript } from './setup.mjs'

await installPackages()
const node = pickNode()
await buildConsole(node)
process.exitCode = await run(node, typescript('apps/gateway/src/cli/sluice.ts', ['serve', ...process.argv.slice(2)]))
