import { readFile, stat } from 'node:fs/promises'
import { type BookPrice, readPriceBook } from './price-book-file.ts'
import { points, reAdd } from './re-add.ts'

/** Larger files are refused: they would not fit into memory. */
const FILE_LIMIT = 256 * 1024 * 1024

export interface RecomputeFiles {
  readonly csv: string
  /** The referenced prices, in one or several files. */
  readonly book: readonly string[]
}

/**
 * Adds up an export of charges again from the counts and prices of the given files alone: no database, no gateway, no
 * configuration. Returns 0 when every row is right, otherwise 1 after naming the first wrong row.
 */
export async function recompute(files: RecomputeFiles, print: (line: string) => void): Promise<number> {
  const book = new Map<number, BookPrice>()
  for (const path of files.book) {
    const text = await readText(path)
    const problem = typeof text === 'string' ? readPriceBook(text, book) : text.problem
    if (problem === '') continue
    print(`WRONG ${path}: ${problem}`)
    return 1
  }
  const text = await readText(files.csv)
  if (typeof text !== 'string') {
    print(`WRONG ${files.csv}: ${text.problem}`)
    return 1
  }
  const { requests, movements, net, wrong } = reAdd(text, book)
  if (wrong !== undefined) {
    print(`WRONG ${files.csv} line ${wrong.line}: ${wrong.problem}`)
    return 1
  }
  print(`ok    requests: ${requests}, movements: ${movements}, prices: ${book.size}, paid in all: ${points(net)}`)
  return 0
}

async function readText(path: string): Promise<string | { readonly problem: string }> {
  try {
    const { size } = await stat(path)
    if (size > FILE_LIMIT)
      return { problem: `is larger than ${FILE_LIMIT / 1024 / 1024} MB; export fewer rows at once` }
    return await readFile(path, 'utf8')
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'cannot be read' }
  }
}
