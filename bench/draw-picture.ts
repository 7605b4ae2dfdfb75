import { readFile } from 'node:fs/promises'
import { drawPicture } from './compare/picture.ts'
import type { BenchReport } from './compare/report.ts'

/** `node bench/draw-picture.ts <file>`: draws the README's picture of a run that `npm run bench -- --json <file>` wrote. */
const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name the file that npm run bench -- --json wrote')
await drawPicture(JSON.parse(await readFile(file, 'utf8')) as BenchReport)
