/**
 * `node tools/structure/draw-sentences.ts <errors|interface|docs|comments> [count] [seed]`: prints randomly drawn sentences of one
 * kind, to be judged by somebody who did not write them. The same seed draws the same sentences from the same sources.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commentSentences, literalSentences, pageSentences } from './sentences.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const CODE = /^(?:packages\/[^/]+|apps\/gateway)\/src\/.*(?<!\.test|\.bench|\.d)\.ts$/

interface Kind {
  readonly files: RegExp
  readonly read: (text: string) => readonly string[]
}

const KINDS: Readonly<Record<string, Kind>> = {
  /** Errors, findings, command messages and log lines: every text of the server that reads like a sentence. */
  errors: { files: CODE, read: literalSentences },
  interface: { files: /^apps\/console\/src\/.*texts\.ts$/, read: literalSentences },
  docs: { files: /^(?:README\.md|CONTRIBUTING\.md|(?:docs|deploy|bench)\/.*\.md)$/, read: pageSentences },
  comments: { files: CODE, read: commentSentences },
}

const [, , name = '', count = '50', seed = '1'] = process.argv
const kind = KINDS[name]
if (kind === undefined || !/^\d+$/.test(count) || !/^\d+$/.test(seed)) {
  console.error('Usage: node tools/structure/draw-sentences.ts <errors|interface|docs|comments> [count] [seed]')
  process.exit(2)
}

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n')
/** The file of each sentence; one that occurs in several counts once. */
const paths = new Map<string, string>()
for (const path of tracked.filter((each) => kind.files.test(each)))
  for (const sentence of kind.read(readFileSync(join(ROOT, path), 'utf8'))) paths.set(sentence, path)
const drawn = drawFrom([...paths], Number(count), Number(seed))
for (const [at, [sentence, path]] of drawn.entries()) console.log(`${at + 1}. ${sentence}\n   ${path}`)
console.log(`\n${drawn.length} of ${paths.size} sentences`)

/** A Fisher-Yates shuffle that stops after `wanted`, with the generator mulberry32. */
function drawFrom<Item>(items: readonly Item[], wanted: number, seed: number): readonly Item[] {
  const left = [...items]
  let state = seed
  const random = (): number => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return Array.from({ length: Math.min(wanted, left.length) }, () => {
    const [item] = left.splice(Math.floor(random() * left.length), 1)
    return item as Item
  })
}
