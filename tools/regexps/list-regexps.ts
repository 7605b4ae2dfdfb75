import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

/** A regular expression in a source file. */
export interface FoundRegexp {
  /** From the root of the project, with slashes. */
  readonly file: string
  readonly source: string
  readonly flags: string
}

/** What may meet input from outside: everything that runs, in the gateway and in the console. */
const SOURCES = ['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts']
const NOT_RUN = /\.test\.tsx?$|\/testkit\//

/** Every literal, and every `RegExp` that is made of one text. What is made of several is told by `made`. */
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
    walk(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
      if (isObject(node['regex'])) {
        const { pattern, flags } = node['regex']
        if (typeof pattern === 'string' && typeof flags === 'string') literals.push({ file, source: pattern, flags })
      } else if (makesRegexp(node)) made.push(file)
    })
  }
  return { literals, made }
}

type Node = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Node => typeof value === 'object' && value !== null

function makesRegexp({ type, callee }: Node): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && isObject(callee) && callee['name'] === 'RegExp'
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit)
  else if (isObject(value)) {
    visit(value)
    for (const each of Object.values(value)) walk(each, visit)
  }
}
