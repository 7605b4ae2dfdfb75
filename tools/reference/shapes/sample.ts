import type { SyntaxNode } from '../../syntax-tree.ts'
import { type Declarations, nameOf, nodeOf, nodesOf, type TypeInFile } from './declarations.ts'

/** A sample of a declared type: every required member, and the optional ones that hold content. */
export class Sampler {
  readonly #declarations: Declarations
  #words = 0

  constructor(declarations: Declarations) {
    this.#declarations = declarations
  }

  sample(type: TypeInFile): unknown {
    this.#words = 0
    return this.#value(type, '', 0)
  }

  /** The alternatives of a type, through aliases and lists, each with its name. */
  members(type: TypeInFile): readonly { readonly name: string; readonly type: TypeInFile }[] {
    const { node } = type
    switch (node['type']) {
      case 'TSTypeAliasDeclaration':
      case 'TSPropertySignature':
      case 'TSTypeAnnotation':
        return this.members({ ...type, node: nodeOf(node['typeAnnotation']) })
      case 'TSUnionType':
        return nodesOf(node['types']).flatMap((each) => this.members({ ...type, node: each }))
      case 'TSArrayType':
        return this.members({ ...type, node: nodeOf(node['elementType']) })
      case 'TSTypeReference': {
        const name = nameOf(node['typeName'])
        const [item] = nodesOf(nodeOf(node['typeArguments'])['params'])
        if (name === 'Array' && item !== undefined) return this.members({ ...type, node: item })
        const found = this.#declarations.find(type.file, name, type.scope)
        if (found === undefined) return []
        return found.node['type'] === 'TSTypeAliasDeclaration' ? this.members(found) : [{ name, type: found }]
      }
      case 'TSLiteralType':
        return [{ name: String(nodeOf(node['literal'])['value']), type }]
      case 'TSTypeLiteral':
        return [{ name: '', type }]
      default:
        return []
    }
  }

  /** The members of an interface or class, including inherited ones. */
  properties({ node, file, scope }: TypeInFile): ReadonlyMap<string, TypeInFile> {
    const found = new Map<string, TypeInFile>()
    for (const parent of nodesOf(node['extends'])) {
      const base = this.#declarations.find(file, nameOf(parent['expression']), scope)
      if (base !== undefined) for (const [name, property] of this.properties(base)) found.set(name, property)
    }
    const body = node['type'] === 'TSTypeLiteral' ? node['members'] : nodeOf(node['body'])['body']
    for (const member of nodesOf(body)) {
      if (member['type'] === 'TSPropertySignature' || member['type'] === 'PropertyDefinition')
        found.set(nameOf(member['key']), { node: member, file, scope })
    }
    return found
  }

  #value(type: TypeInFile, key: string, depth: number): unknown {
    const { node } = type
    const inside = (inner: unknown): unknown => this.#value({ ...type, node: nodeOf(inner) }, key, depth)
    switch (node['type']) {
      case 'TSTypeAliasDeclaration':
      case 'TSPropertySignature':
      case 'PropertyDefinition':
      case 'TSTypeAnnotation':
      case 'TSParenthesizedType':
        return inside(node['typeAnnotation'])
      case 'TSUnionType':
        return inside(usualOf(nodesOf(node['types'])))
      case 'TSIntersectionType':
        return inside(nodesOf(node['types'])[0])
      case 'TSLiteralType':
        return nodeOf(node['literal'])['value']
      case 'TSStringKeyword':
        return this.#text(key)
      case 'TSNumberKeyword':
        return 1
      case 'TSBooleanKeyword':
        return true
      case 'TSArrayType':
        return depth > DEEPEST ? [] : [this.#value({ ...type, node: nodeOf(node['elementType']) }, key, depth + 1)]
      case 'TSTypeReference':
        return this.#named(type, key, depth)
      case 'TSEnumDeclaration':
        return enumValue(node)
      case 'TSInterfaceDeclaration':
      case 'TSTypeLiteral':
      case 'ClassDeclaration':
        return depth > DEEPEST ? {} : this.#object(type, depth)
      case 'TSNullKeyword':
        return null
      default:
        return { word: this.#word() }
    }
  }

  #named(type: TypeInFile, key: string, depth: number): unknown {
    const name = nameOf(type.node['typeName'])
    const [item] = nodesOf(nodeOf(type.node['typeArguments'])['params'])
    if (name === 'Array' && item !== undefined)
      return depth > DEEPEST ? [] : [this.#value({ ...type, node: item }, key, depth + 1)]
    const found = this.#declarations.find(type.file, name, type.scope)
    return found === undefined ? { word: this.#word() } : this.#value(found, key, depth + 1)
  }

  #object(type: TypeInFile, depth: number): Readonly<Record<string, unknown>> {
    const properties = this.properties(type)
    const isRequired = ({ node }: TypeInFile) => node['optional'] !== true
    const isLoose = ![...properties.values()].some(isRequired)
    const chosen = [...properties].filter(([name, property]) => isRequired(property) || isLoose || SAID.test(name))
    const sample: Record<string, unknown> = {}
    for (const [name, property] of chosen) if (name !== '') sample[name] = this.#value(property, name, depth + 1)
    return sample['media_type'] === 'text/plain' ? { ...sample, data: this.#word() } : sample
  }

  /** A valid text for its member: vendors refuse malformed addresses, media types and bytes. */
  #text(key: string): string {
    if (ID.test(key)) return 'id_1'
    if (SEALED.test(key)) return 'c2VhbGVk'
    if (/^(?:arguments|partial_json)$/.test(key)) return JSON.stringify({ [this.#word()]: this.#word() })
    if (/url|uri/i.test(key)) return `https://example.com/${this.#word()}.png`
    if (/^(?:media_?type|mimeType)$/.test(key)) return 'image/png'
    return /^(?:data|file_data|b64_json|partial_image_b64)$/.test(key) ? 'iVBORw0KGgo=' : this.#word()
  }

  #word(): string {
    return `word${++this.#words}x`
  }
}

/** Words of a sample, by which it is recognized. */
export const WORD = /word\d+x|iVBORw0KGgo=/g

const DEEPEST = 9
/** Optional members that hold content, or that identify the shape. */
const SAID =
  /^(?:type|content|text|output|input|code|language|name|namespace|result|response|args|data|mimeType|fileUri|call_id|arguments|action|query|image_url|file_data|tool_name)$/
const ID = /(?:^id|_id|Id|fingerprint)$/
const SEALED = /^(?:encrypted_|signature$|thoughtSignature$)/

/** The first alternative that is not an error, which is the usual one. */
function usualOf(types: readonly SyntaxNode[]): SyntaxNode | undefined {
  const given = types.filter((each) => each['type'] !== 'TSNullKeyword')
  return given.find((each) => !/Error/.test(nameOf(each['typeName']))) ?? given[0]
}

/** The first value with a meaning. */
function enumValue(node: SyntaxNode): unknown {
  const values = nodesOf(nodeOf(node['body'])['members'] ?? node['members']).map(
    (member) => nodeOf(member['initializer'])['value'],
  )
  return values.find((value) => !String(value).endsWith('UNSPECIFIED'))
}
