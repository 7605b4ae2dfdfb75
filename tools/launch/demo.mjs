/** `npm run demo`: gateway with a seeded database and a provider emulator beside it. */
import { buildConsole, installPackages, pickNode, run, typescript } from './setup.mjs'

await installPackages()
const node = pickNode()
await buildConsole(node)
process.exitCode = await run(node, typescript('tools/demo/demo.ts', process.argv.slice(2)))
