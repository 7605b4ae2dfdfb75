import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { isNode, type SyntaxNode, walkTree } from '../syntax-tree.ts'

/** A handwritten file of the product, without tests. */
export interface SourceFile {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly lines: number
  /** Line counts of its functions, the longest first; nested functions count for both. */
  readonly functions: readonly number[]
  /** Files of its package that it imports, including type imports. */
  readonly imports: readonly string[]
}

const FUNCTIONS: readonly unknown[] = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']
const SOURCE = /^(apps|packages)\/[^/]+\/src\/.*\.tsx?$/
/** Target of `~`. */
const CONSOLE = 'apps/console/src'
const NO_SOURCE = /\.(test|bench)\.tsx?$|\.d\.ts$/

export function readSources(root: string): readonly SourceFile[] {
  const tracked = execFileSync('git', ['ls-files', '--', 'apps', 'packages'], { cwd: root, encoding: 'utf8' })
  return tracked
    .split('\n')
    .filter((path) => SOURCE.test(path) && !NO_SOURCE.test(path))
    .map((path) => readSource(path, readFileSync(join(root, path), 'utf8')))
}

export function readSource(path: string, text: string): SourceFile {
  const functions: number[] = []
  const imports: string[] = []
  const lineOf = lineFinder(text)
  walkTree(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
    if (FUNCTIONS.includes(node['type']))
      functions.push(lineOf(Number(node['end'])) - lineOf(Number(node['start'])) + 1)
    const from = importedFrom(node)
    if (from?.startsWith('.') === true) imports.push(normalize(join(dirname(path), from)))
    if (from?.startsWith('~/') === true) imports.push(join(CONSOLE, from.slice(2)))
  })
  return { path, lines: text.split('\n').length - 1, functions: functions.toSorted((a, b) => b - a), imports }
}

const IMPORTS: readonly unknown[] = [
  'ImportDeclaration',
  'ImportExpression',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
]

function importedFrom({ type, source }: SyntaxNode): string | undefined {
  if (!IMPORTS.includes(type) || !isNode(source)) return undefined
  return typeof source['value'] === 'string' ? source['value'] : undefined
}

/** Returns a function from offset to line, from 0. */
function lineFinder(text: string): (offset: number) => number {
  const starts = [...text.matchAll(/\n/g)].map(({ index }) => index + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
