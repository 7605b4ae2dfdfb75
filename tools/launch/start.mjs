/** `npm start`: everything that is missing is set up, then console and API run on one port. */
import { buildConsole, installPackages, pickNode, runTypescript } from './setup.mjs'

await installPackages()
const node = pickNode()
await buildConsole(node)
process.exitCode = await runTypescript(node, 'apps/gateway/src/cli/sluice.ts', ['serve', ...process.argv.slice(2)])
