/** `npm run demo`: gateway with a seeded database and a provider emulator beside it. */
import { buildConsole, installPackages, pickNode, runTypescript } from './setup.mjs'

await installPackages()
const node = pickNode()
await buildConsole(node)
process.exitCode = await runTypescript(node, 'tools/demo/demo.ts', process.argv.slice(2))
