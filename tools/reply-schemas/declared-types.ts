import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { isNode, type SyntaxNode } from '../syntax-tree.ts'

/** The scope in which a name is looked up: a file, or a namespace in it. */
export interface Scope {
  readonly file: string
  /** Enclosing namespaces, innermost last. */
  readonly path: readonly string[]
}

export interface Declared {
  /** Unique among all files: `Response.IncompleteDetails`. */
  readonly name: string
  readonly scope: Scope
  readonly node: SyntaxNode
}

interface Module {
  readonly types: ReadonlyMap<string, SyntaxNode>
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string | undefined }>
}

/** The types that a library declares, read from its `.d.ts` files. */
export class DeclaredTypes {
  readonly #modules = new Map<string, Module>()

  /** Undefined for the language's own types. `names` are the parts of a qualified name. */
  find(names: readonly string[], scope: Scope): Declared | undefined {
    const { types, imports } = this.#read(scope.file)
    for (let depth = scope.path.length; depth >= 0; depth--) {
      const path = [...scope.path.slice(0, depth), ...names]
      const node = types.get(path.join('.'))
      if (node === undefined) continue
      return { name: path.join('.'), scope: { file: scope.file, path: path.slice(0, -1) }, node }
    }
    const [first = '', ...rest] = names
    const imported = imports.get(first)
    if (imported === undefined) return undefined
    const inside = imported.name === undefined ? rest : [imported.name, ...rest]
    return this.find(inside, { file: imported.file, path: [] })
  }

  #read(file: string): Module {
    const known = this.#modules.get(file)
    if (known !== undefined) return known
    const { body } = parseAst(readFileSync(file, 'utf8'), { lang: 'dts' }, file)
    const types = new Map<string, SyntaxNode>()
    const imports = new Map<string, { file: string; name: string | undefined }>()
    for (const statement of body) this.#note(statement as unknown as SyntaxNode, { file, path: [] }, types, imports)
    const found = { types, imports }
    this.#modules.set(file, found)
    return found
  }

  #note(
    statement: SyntaxNode,
    scope: Scope,
    types: Map<string, SyntaxNode>,
    imports: Map<string, { file: string; name: string | undefined }>,
  ): void {
    const node = isNode(statement['declaration']) ? statement['declaration'] : statement
    switch (node['type']) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration': {
        const source = isNode(node['source']) ? String(node['source']['value']) : undefined
        if (source === undefined || !source.startsWith('.')) return
        const file = join(dirname(scope.file), source.replace(/\.js$/, '.d.ts').replace(/\.mjs$/, '.d.mts'))
        for (const one of nodes(node['specifiers'])) {
          const imported = one['imported'] ?? one['local']
          const name = one['type'] === 'ImportNamespaceSpecifier' ? undefined : nameOf(imported)
          imports.set(nameOf(one['exported'] ?? one['local']), { file, name })
        }
        return
      }
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
        types.set([...scope.path, nameOf(node['id'])].join('.'), node)
        return
      case 'TSModuleDeclaration': {
        const inner = { file: scope.file, path: [...scope.path, nameOf(node['id'])] }
        const body = isNode(node['body']) ? nodes(node['body']['body']) : []
        for (const each of body) {
          // A namespace's export of a name from the file is found in the file.
          if (each['type'] !== 'ExportNamedDeclaration' || isNode(each['declaration'])) {
            this.#note(each, inner, types, imports)
          }
        }
      }
    }
  }
}

export const nodes = (value: unknown): readonly SyntaxNode[] => (Array.isArray(value) ? value.filter(isNode) : [])

export const nameOf = (value: unknown): string => (isNode(value) ? String(value['name'] ?? value['value']) : '')
