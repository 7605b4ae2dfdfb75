/** `npm run check`: types, lint, format, dead code. `npm run fix` repairs what it can. */
import { checkStages } from './checks.mjs'
import { installPackages, pickNode } from './setup.mjs'
import { printTable, runStages } from './stages.mjs'

await installPackages()
const results = await runStages(checkStages(pickNode(), process.argv.includes('--fix')))
printTable(results)
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0
