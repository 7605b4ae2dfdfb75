/** `npm run package`: gateway and console as one npm package, `dist/sluice-<version>.tgz`. */
import { join } from 'node:path'
import { pickNode } from './run-program.mjs'
import { buildConsole, buildGateway, installPackages, ROOT, runProgram } from './setup.mjs'

await installPackages()
const node = pickNode(ROOT)
const [program] = await Promise.all([buildGateway(node), buildConsole(node)])
process.exitCode = await runProgram(node, 'tools/package/write-package.ts', [program, join(ROOT, 'dist')])
