import { glob, readFile } from 'node:fs/promises'
import { sep } from 'node:path'

/** A test or group of tests with the numbers that its title names. */
export interface TaggedTest {
  readonly title: string
  /** From the project's root, with forward slashes. */
  readonly file: string
  readonly tags: readonly string[]
}

const FILES = '{apps,packages,tests,tools}/**/*.{test,spec}.{ts,tsx,mjs}'
/** A text that is followed by a function is a title: of `test`, `it` or `describe`, also behind a table of `each`. */
const TITLE =
  /(?:'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\\n]|\\.)*)`|"((?:[^"\\\n]|\\.)*)"),\s*(?:async\b|\(|\w+ =>|function\b)/g
/** A security class in a title. */
export const SECURITY_CLASS = /\bS[1-9]\d?\b/g

/** Every test whose title matches `tag`, by file and line. */
export async function taggedTests(root: string, tag: RegExp): Promise<readonly TaggedTest[]> {
  const files = []
  for await (const file of glob(FILES, {
    cwd: root,
    exclude: (name) => /(^|\/)(node_modules|dist)(\/|$)/.test(name),
  })) {
    files.push(file)
  }
  const found: TaggedTest[] = []
  for (const file of files.toSorted()) {
    const source = await readFile(`${root}/${file}`, 'utf8')
    for (const [, single, back, double] of source.matchAll(TITLE)) {
      const title = (single ?? back ?? double ?? '').replaceAll(/\\(.)/g, '$1')
      const tags = title.match(tag)
      if (tags !== null) found.push({ title, file: file.split(sep).join('/'), tags })
    }
  }
  return found
}
