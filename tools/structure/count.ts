/**
 * `node tools/structure/count.ts`: prints the size of the sources, how they are divided, and how the rooms of the relay import each
 * other. For comparison before and after a reorganisation.
 */
import { dirname, join } from 'node:path'
import { countRooms } from './rooms.ts'
import { readSources } from './source-files.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const RELAY = 'apps/gateway/src/relay'
const CRUMB_LINES = 30
const LONG_LINES = 60
const LONGEST_LINES = 120

const sources = readSources(ROOT)
const lines = sources.reduce((sum, each) => sum + each.lines, 0)
const functions = sources.flatMap((each) => each.functions)
const folders = Map.groupBy(sources, ({ path }) => dirname(path))
const relay = countRooms(sources, RELAY)
const rows: readonly (readonly [string, number | string])[] = [
  ['source files', sources.length],
  ['lines', lines],
  ['lines per file', Math.round(lines / sources.length)],
  ['files of the console', sources.filter(({ path }) => path.startsWith('apps/console/')).length],
  [`files under ${CRUMB_LINES} lines`, sources.filter((each) => each.lines < CRUMB_LINES).length],
  ['folders with one file', [...folders.values()].filter((files) => files.length === 1).length],
  [`functions over ${LONG_LINES} lines`, functions.filter((each) => each > LONG_LINES).length],
  [`functions over ${LONGEST_LINES} lines`, functions.filter((each) => each > LONGEST_LINES).length],
  ['rooms of the relay', relay.rooms],
  ['pairs of them that are linked', `${relay.linked} of ${(relay.rooms * (relay.rooms - 1)) / 2}`],
  ['pairs that import each other', relay.mutual.length],
  ['arrows back', relay.back.length],
]
for (const [name, count] of rows) console.log(`${name.padEnd(32)} ${count}`)
if (process.argv.includes('--names')) console.log([...relay.mutual, ...relay.back].join('\n'))
