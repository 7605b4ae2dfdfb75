import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { isNode, type SyntaxNode } from '../../syntax-tree.ts'

export interface TypeInFile {
  readonly node: SyntaxNode
  readonly file: string
  /** Enclosing namespaces, outermost first. */
  readonly scope: readonly string[]
}

interface File {
  /** By name, qualified with enclosing namespaces. */
  readonly declared: ReadonlyMap<string, TypeInFile>
  /** Local name → file and name there; the name is undefined for an import of a whole file. */
  readonly imported: ReadonlyMap<string, { readonly file: string; readonly name: string | undefined }>
}

/** Finds types in declaration files (`.d.ts`), following their imports. */
export class Declarations {
  readonly #files = new Map<string, File>()

  find(file: string, name: string, scope: readonly string[] = []): TypeInFile | undefined {
    const { declared, imported } = this.#read(file)
    for (let depth = scope.length; depth >= 0; depth--) {
      const found = declared.get([...scope.slice(0, depth), name].join('.'))
      if (found !== undefined) return found
    }
    const [head = '', ...rest] = name.split('.')
    const from = imported.get(head)
    if (from === undefined) return undefined
    return this.find(from.file, [...(from.name === undefined ? [] : [from.name]), ...rest].join('.'))
  }

  #read(path: string): File {
    const known = this.#files.get(path)
    if (known !== undefined) return known
    const declared = new Map<string, TypeInFile>()
    const imported = new Map<string, { readonly file: string; readonly name: string | undefined }>()
    const body = nodesOf(parseAst(readFileSync(path, 'utf8'), { lang: 'dts' }).body)
    for (const statement of body) {
      if (statement['type'] === 'ImportDeclaration') noteImports(statement, path, imported)
      else declare(statement, path, [], declared)
    }
    const file = { declared, imported }
    this.#files.set(path, file)
    return file
  }
}

export function nodesOf(value: unknown): readonly SyntaxNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

export function nodeOf(value: unknown): SyntaxNode {
  return isNode(value) ? value : {}
}

/** `A.B` for an identifier or a qualified name; the key for a property. */
export function nameOf(value: unknown): string {
  const node = nodeOf(value)
  if (node['type'] === 'TSQualifiedName') return `${nameOf(node['left'])}.${nameOf(node['right'])}`
  const { name, value: literal } = node
  return typeof name === 'string' ? name : typeof literal === 'string' ? literal : ''
}

function declare(statement: SyntaxNode, file: string, scope: readonly string[], into: Map<string, TypeInFile>): void {
  const node = statement['type'] === 'ExportNamedDeclaration' ? nodeOf(statement['declaration']) : statement
  const name = nameOf(node['id'])
  if (node['type'] === 'TSModuleDeclaration') {
    for (const inner of nodesOf(nodeOf(node['body'])['body'])) declare(inner, file, [...scope, name], into)
  } else if (name !== '') {
    const key = [...scope, name].join('.')
    // An enum is declared together with a type of its values under the same name.
    if (!into.has(key)) into.set(key, { node, file, scope })
  }
}

function noteImports(
  statement: SyntaxNode,
  path: string,
  into: Map<string, { readonly file: string; readonly name: string | undefined }>,
): void {
  const source = String(nodeOf(statement['source'])['value'])
  if (!source.startsWith('.')) return
  const file = join(dirname(path), source.replace(/\.m?js$/, '.d.ts'))
  for (const specifier of nodesOf(statement['specifiers'])) {
    const imported = specifier['type'] === 'ImportSpecifier' ? nameOf(specifier['imported']) : undefined
    into.set(nameOf(specifier['local']), { file, name: imported })
  }
}
