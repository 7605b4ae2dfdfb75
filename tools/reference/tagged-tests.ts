import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'
import { isNode, type SyntaxNode, walkTree } from '../syntax-tree.ts'

export interface TaggedTest {
  readonly title: string
  /** From the project's root, with forward slashes. */
  readonly file: string
  /** Without Playwright's `@`. */
  readonly tags: readonly string[]
}

const FILES = '{apps,packages,tests,tools}/**/*.{test,spec}.{ts,tsx,mjs}'
/** A security class, as in `{ tags: 'S20' }`. */
export const SECURITY_CLASS = /^S[1-9]\d?$/
/** A sentence of the console's specification, as in `{ tag: '@A2.4' }`. */
export const SENTENCE = /^[ABC][1-9]\.\d{1,3}$/

/** By file and line. */
export function taggedTests(root: string): readonly TaggedTest[] {
  const isForeign = (path: string) => /(^|[/\\])(node_modules|dist)([/\\]|$)/.test(path)
  const files = globSync(FILES, { cwd: root, exclude: isForeign }).map((file) => file.replaceAll('\\', '/'))
  return files.toSorted().flatMap((file) => {
    const source = readFileSync(`${root}/${file}`, 'utf8')
    return /\btags?: /.test(source) ? testsIn(source, file) : []
  })
}

function testsIn(source: string, file: string): readonly TaggedTest[] {
  const found: TaggedTest[] = []
  walkTree(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }), ({ type, arguments: args }) => {
    if (type !== 'CallExpression' || !Array.isArray(args)) return
    const [title] = textsOf(args[0])
    const tags = tagsOf(args[1])
    if (title !== undefined && tags.length > 0) found.push({ title, file, tags })
  })
  return found
}

function tagsOf(options: unknown): readonly string[] {
  if (!isNode(options) || !Array.isArray(options['properties'])) return []
  const named = options['properties'].find(({ key }: { key?: SyntaxNode }) => /^tags?$/.test(String(key?.['name'])))
  return textsOf(named?.value).map((tag) => tag.replace(/^@/, ''))
}

/** The text of a literal, or of each in a list of literals; empty for anything else. */
function textsOf(node: unknown): readonly string[] {
  if (!isNode(node)) return []
  const { type, value, quasis, elements } = node
  if (type === 'Literal') return [String(value)]
  if (type === 'TemplateLiteral' && Array.isArray(quasis)) return [quasis.map((part) => part.value.raw).join('{}')]
  return type === 'ArrayExpression' && Array.isArray(elements) ? elements.flatMap(textsOf) : []
}
