import { readFileSync } from 'node:fs'

/**
 * One sentence, list entry or table row of the specification: its number (document, section, position) and its first words. A test
 * that proves it carries the number as a tag: `test('the confirm button says what it does', { tag: '@A2.4' }, …)`.
 */
export interface Sentence {
  readonly id: string
  readonly words: string
}

/** In the order of the specification; a line each in `console-sentences.txt`. */
export const SENTENCES: readonly Sentence[] = readFileSync(new URL('console-sentences.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => ({ id: line.slice(0, line.indexOf(' ')), words: line.slice(line.indexOf(' ') + 1) }))
