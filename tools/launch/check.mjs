/** `npm run check`: types, lint, format, unused code. `npm run fix` repairs what it can. */
import { join } from 'node:path'
import { checkStages } from './checks.mjs'
import { pickNode } from './run-program.mjs'
import { installPackages, ROOT } from './setup.mjs'
import { printTable, runStages } from './stages.mjs'

await installPackages()
await installPackages(join(ROOT, 'tests', 'clients'))
const results = await runStages(checkStages(pickNode(ROOT), process.argv.includes('--fix')))
printTable(results)
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0
