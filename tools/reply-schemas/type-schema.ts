import { isNode, type SyntaxNode } from '../syntax-tree.ts'
import { type DeclaredTypes, nameOf, nodes, type Scope } from './declared-types.ts'

export type Schema = Readonly<Record<string, unknown>>

const KEYWORDS: Readonly<Record<string, Schema>> = {
  TSStringKeyword: { type: 'string' },
  TSNumberKeyword: { type: 'number' },
  TSBooleanKeyword: { type: 'boolean' },
  TSNullKeyword: { type: 'null' },
}
const OBJECT: Schema = { type: 'object' }
const ANYTHING: Schema = {}

/**
 * JSON schemas of types: the required members and their types. A member that may be absent may also be null, as servers write it
 * and as the vendors' readers in all languages accept it.
 */
export class TypeSchemas {
  readonly definitions = new Map<string, Schema>()
  readonly #types: DeclaredTypes
  /** Members that a library adds to the server's reply: `Response.output_text`. */
  readonly #added: ReadonlySet<string>
  /** Members that the server sends with another type, which the library decodes or leaves out. */
  readonly #decoded: ReadonlySet<string>
  /** Precedes the names of one vendor. */
  readonly #prefix: string

  constructor(types: DeclaredTypes, prefix: string, added: readonly string[], decoded: readonly string[]) {
    this.#types = types
    this.#prefix = prefix
    this.#added = new Set(added)
    this.#decoded = new Set(decoded)
  }

  /** Returns a reference to a type's schema, and collects the schemas of all types that it names. */
  refer(names: readonly string[], scope: Scope): Schema {
    const found = this.#types.find(names, scope)
    if (found === undefined) return names[0] === 'Record' ? OBJECT : ANYTHING
    const name = `${this.#prefix}.${found.name}`
    if (!this.definitions.has(name)) {
      this.definitions.set(name, ANYTHING)
      this.definitions.set(name, this.#declared(found.node, found.scope, found.name))
    }
    return { $ref: `#/$defs/${name}` }
  }

  #declared(node: SyntaxNode, scope: Scope, name: string): Schema {
    const inner = { file: scope.file, path: [...scope.path, name.split('.').at(-1) ?? ''] }
    if (node['type'] === 'TSTypeAliasDeclaration') return this.#of(node['typeAnnotation'], inner, name)
    const body = isNode(node['body']) ? nodes(node['body']['body']) : []
    const own = this.#object(body, inner, name)
    const parents = nodes(node['extends']).map((each) => this.refer(partsOf(each['expression']), inner))
    return parents.length === 0 ? own : { allOf: [...parents, own] }
  }

  #of(type: unknown, scope: Scope, name: string): Schema {
    if (!isNode(type)) return ANYTHING
    const kind = String(type['type'])
    if (kind in KEYWORDS) return KEYWORDS[kind] ?? ANYTHING
    switch (kind) {
      case 'TSTypeAnnotation':
      case 'TSParenthesizedType':
        return this.#of(type['typeAnnotation'], scope, name)
      case 'TSLiteralType':
        return { const: isNode(type['literal']) ? type['literal']['value'] : null }
      case 'TSArrayType':
        return { type: 'array', items: this.#of(type['elementType'], scope, name) }
      case 'TSTypeLiteral':
        return this.#object(nodes(type['members']), scope, name)
      case 'TSUnionType':
        return this.#union(nodes(type['types']).map((each) => this.#of(each, scope, name)))
      case 'TSIntersectionType': {
        const all = nodes(type['types']).map((each) => this.#of(each, scope, name))
        // `string & {}` keeps editors from merging the adjacent literals into it.
        return all.find((each) => each['type'] === 'string') ?? { allOf: all }
      }
      case 'TSTypeReference': {
        const names = partsOf(type['typeName'])
        if (names[0] !== 'Array') return this.refer(names, scope)
        const [item] = isNode(type['typeArguments']) ? nodes(type['typeArguments']['params']) : []
        return { type: 'array', items: this.#of(item, scope, name) }
      }
      default:
        return ANYTHING
    }
  }

  #object(members: readonly SyntaxNode[], scope: Scope, name: string): Schema {
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    for (const member of members) {
      const key = nameOf(member['key'])
      if (member['type'] !== 'TSPropertySignature' || this.#added.has(`${name}.${key}`)) continue
      const isDecoded = this.#decoded.has(`${name}.${key}`)
      const schema = isDecoded ? ANYTHING : this.#of(member['typeAnnotation'], scope, name)
      const isOptional = member['optional'] === true
      properties[key] = isOptional && Object.keys(schema).length > 0 ? this.#union([schema, { type: 'null' }]) : schema
      if (!isOptional) required.push(key)
    }
    if (required.length === 0 && Object.keys(properties).length === 0) return OBJECT
    return { type: 'object', properties, ...(required.length === 0 ? {} : { required }) }
  }

  #union(members: readonly Schema[]): Schema {
    const flat = members.flatMap((each) => (Array.isArray(each['anyOf']) ? (each['anyOf'] as Schema[]) : [each]))
    if (flat.some((each) => Object.keys(each).length === 0)) return ANYTHING
    const isText = flat.some((each) => each['type'] === 'string')
    const literals = flat.flatMap((each) => ('const' in each ? [each['const']] : []))
    const rest = flat.filter((each) => !('const' in each))
    const kept = isText ? literals.filter((value) => typeof value !== 'string') : literals
    const texts = new Set(rest.map((each) => JSON.stringify(each)))
    const different = [...texts].map((text) => JSON.parse(text) as Schema)
    const all = kept.length === 0 ? different : [{ enum: kept }, ...different]
    return all.length === 1 ? (all[0] ?? ANYTHING) : { anyOf: all }
  }
}

function partsOf(name: unknown): readonly string[] {
  if (!isNode(name)) return []
  if (name['type'] === 'TSQualifiedName') return [...partsOf(name['left']), nameOf(name['right'])]
  if (name['type'] === 'MemberExpression') return [...partsOf(name['object']), nameOf(name['property'])]
  return [nameOf(name)]
}
