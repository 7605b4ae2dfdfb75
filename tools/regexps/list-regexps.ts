import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { isNode, type SyntaxNode, walkTree } from '../syntax-tree.ts'

export interface FoundRegexp {
  /** From the root of the project, with slashes. */
  readonly file: string
  readonly source: string
  readonly flags: string
}

/** Sources that may process outside input: everything that runs, in the gateway and in the console. */
const SOURCES = ['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts']
const NOT_RUN = /\.test\.tsx?$/

/** Every literal, and every `RegExp` made from a single text; those made from several are in `made`. */
export function listRegexps(root: string): {
  readonly literals: readonly FoundRegexp[]
  readonly made: readonly string[]
} {
  const literals: FoundRegexp[] = []
  const made: string[] = []
  const files = globSync(SOURCES, { cwd: root }).map((file) => file.replaceAll('\\', '/'))
  for (const file of files.filter((name) => !NOT_RUN.test(name)).toSorted()) {
    const text = readFileSync(`${root}/${file}`, 'utf8')
    if (!/RegExp\(|\//.test(text)) continue
    walkTree(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
      if (isNode(node['regex'])) {
        const { pattern, flags } = node['regex']
        if (typeof pattern === 'string' && typeof flags === 'string') literals.push({ file, source: pattern, flags })
      } else if (makesRegexp(node)) made.push(file)
    })
  }
  return { literals, made }
}

function makesRegexp({ type, callee }: SyntaxNode): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && isNode(callee) && callee['name'] === 'RegExp'
}
