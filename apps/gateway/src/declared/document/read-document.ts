import {
  configurationChannel,
  configurationDocument,
  type ConfigurationDocument,
} from '@sluice/contract/configuration/document'
import { DROPPED_KEYS } from '@sluice/contract/json-schema'
import * as v from 'valibot'
import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseDocument, visit, type YAMLMap } from 'yaml'
import { nearestName } from '../../environment/environment.ts'
import { nodeAt, type Path, pathText } from './node-at.ts'

/** A place in a file and the rule that is broken there. Never contains the value, which might be a secret. */
export interface DocumentProblem {
  readonly line: number
  readonly column: number
  /** Empty for the whole file. */
  readonly path: string
  readonly rule: string
}

/** A document of the right form with unchecked values. */
export interface ReadDocument {
  readonly document: ConfigurationDocument
  /** Creates a problem at the deepest place on the path that exists in the file. */
  readonly problem: (path: Path, rule: string) => DocumentProblem
}

export type Problems = { readonly problems: readonly DocumentProblem[] }

export const DOCUMENT_BYTES_MAX = 2_097_152
/** Listed problems: the first ones are often the cause of the others. */
const PROBLEMS_MAX = 20
/** Total repetitions of anchors; nested repetitions multiply. */
const ALIASES_MAX = 100
const DEPTH_MAX = 64

/** Decodes the text of a file; a problem when the file is not text. */
export function decodeDocument(bytes: Uint8Array): string | Problems {
  if (bytes.byteLength > DOCUMENT_BYTES_MAX) return whole(`has more than ${DOCUMENT_BYTES_MAX} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return whole('is not UTF-8')
  }
}

/** Reads YAML 1.2, which includes JSON, and checks every name, type and bound that the schema defines. */
export function readDocument(text: string): ReadDocument | Problems {
  if (Buffer.byteLength(text) > DOCUMENT_BYTES_MAX) return whole(`has more than ${DOCUMENT_BYTES_MAX} bytes`)
  const deep = deepLine(text)
  if (deep !== undefined) return deep
  const lines = new LineCounter()
  const parsed = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    // The library's check compares every key with every other; ours is below.
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
    lineCounter: lines,
  })
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const broken = [...parsed.errors, ...parsed.warnings]
  if (broken.length > 0) {
    return {
      problems: broken
        .slice(0, PROBLEMS_MAX)
        .map(({ pos: [start], code }) => ({ ...at(start), path: '', rule: ruleOf(code) })),
    }
  }
  const problem = (path: Path, rule: string): DocumentProblem => {
    const node = nodeAt(parsed, path)
    return { ...at(node?.range?.[0] ?? 0), path: pathText(path), rule }
  }
  if (!isMap(parsed.contents)) return { problems: [problem([], 'must be a mapping that begins with "version: 1"')] }
  const unfit = unfitNode(parsed)
  if (unfit !== undefined) return { problems: [{ ...at(unfit.offset), path: '', rule: unfit.rule }] }
  const value = valueOf(() => parsed.toJS({ maxAliasCount: ALIASES_MAX }) as unknown)
  if (value === undefined) return whole(`uses aliases more than ${ALIASES_MAX} times`)
  const checked = v.safeParse(configurationDocument, value)
  if (!checked.success) {
    return { problems: checked.issues.slice(0, PROBLEMS_MAX).map((issue) => problemOf(issue, problem)) }
  }
  return { document: checked.output, problem }
}

/** Each problem as one line: place and rule. */
export function problemText({ line, column, path, rule }: DocumentProblem): string {
  return `line ${line}, column ${column}: ${path === '' ? 'the file' : path} ${rule}`
}

function whole(rule: string): Problems {
  return { problems: [{ line: 1, column: 1, path: '', rule }] }
}

/** Our text for a parser error: the parser's messages repeat parts of the file. */
function ruleOf(code: string): string {
  switch (code) {
    case 'TAB_AS_INDENT':
      return 'is indented with a tab, which YAML does not allow'
    case 'TAG_RESOLVE_FAILED':
      return 'has a tag, which is not allowed in a configuration file'
    case 'MULTIPLE_DOCS':
      return 'contains more than one document'
    case 'MULTILINE_IMPLICIT_KEY':
    case 'BLOCK_AS_IMPLICIT_KEY':
    case 'KEY_OVER_1024_CHARS':
      return 'has a key that spans several lines or is too long'
    case 'BAD_INDENT':
      return 'has invalid YAML indentation or an unclosed bracket'
    default:
      return `is not valid YAML here (${code.toLowerCase().replaceAll('_', ' ')})`
  }
}

/** The parser recurses into brackets, so a text of nothing but brackets must not reach it. */
function deepLine(text: string): Problems | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1)
    if (depth > BRACKETS_MAX) return whole(`has more than ${BRACKETS_MAX} open brackets`)
  }
  return undefined
}
/** Unclosed brackets, including those in texts such as prompts. */
const BRACKETS_MAX = 1_000

/** Finds the first node that is nested too deeply, an alias without an anchor, or a duplicate key. */
function unfitNode(parsed: Document.Parsed): { readonly offset: number; readonly rule: string } | undefined {
  let found: { readonly offset: number; readonly rule: string } | undefined
  visit(parsed, (_, node, path) => {
    const offset = isNode(node) ? (node.range?.[0] ?? 0) : 0
    // A pair lies between two levels of mappings.
    if (path.length > DEPTH_MAX * 2) found = { offset, rule: `is nested more than ${DEPTH_MAX} levels deep` }
    if (isAlias(node) && node.resolve(parsed) === undefined)
      found = { offset, rule: 'contains an alias without an anchor' }
    if (isMap(node)) found ??= unfitKey(node)
    return found === undefined ? undefined : visit.BREAK
  })
  return found
}

function unfitKey({ items }: YAMLMap) {
  const seen = new Set<string>()
  for (const { key } of items) {
    const name = isScalar(key) ? String(key.value) : undefined
    if (name === undefined) continue
    const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0
    if (DROPPED_KEYS.has(name)) return { offset, rule: `cannot have a key "${name}"` }
    if (seen.has(name)) return { offset, rule: 'contains a key twice in one mapping' }
    seen.add(name)
  }
  return undefined
}

function valueOf(read: () => unknown): unknown {
  try {
    return read() ?? null
  } catch {
    return undefined
  }
}

function problemOf(issue: v.BaseIssue<unknown>, problem: ReadDocument['problem']): DocumentProblem {
  const path = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)))
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    const known = Object.keys((path.length > 1 ? configurationChannel : configurationDocument).entries)
    const name = String(path.at(-1))
    return problem(path, `is not a field; did you mean ${nearestName(name, known)}?`)
  }
  if (issue.received === 'undefined') return problem(path, 'is required')
  return problem(path, isStock(issue.message) ? wanted(issue.expected) : issue.message)
}

/** The library's own messages repeat their input. */
function isStock(message: string): boolean {
  return message.startsWith('Invalid ')
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'must be text; put it in quotes',
  number: 'must be a number',
  Array: 'must be a list',
  Object: 'must be a mapping',
}

function wanted(expected: string | null): string {
  return (
    WORDS[expected ?? ''] ??
    `must be ${(expected ?? 'something else').replace(/^\(|\)$/g, '').replaceAll(' | ', ' or ')}`
  )
}
