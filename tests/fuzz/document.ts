import type { JsonSchema } from '@sluice/contract/json-schema'
import type { ManagementBench } from '@sluice/testkit/management-bench'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface Operation {
  readonly method: string
  /** With `{name}` for a parameter. */
  readonly path: string
  readonly query: Readonly<Record<string, JsonSchema>>
  readonly body: JsonSchema | undefined
  /** By status; `default` is for all others. */
  readonly replies: ReadonlyMap<string, ValidateFunction>
}

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: JsonSchema } } }
  readonly responses: Readonly<Record<string, Response>>
}

interface Response {
  readonly $ref?: string
  readonly content?: { readonly 'application/json': { readonly schema: JsonSchema } }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}

/** Reads the served document, which is all that clients have. */
export async function readDocument(bench: ManagementBench): Promise<readonly Operation[]> {
  const reply = await bench.fetch(new Request('http://localhost:3000/api/openapi.json'))
  const document = (await reply.json()) as Document
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false })
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      query: Object.fromEntries(
        (described.parameters ?? []).filter((each) => each.in === 'query').map(({ name, schema }) => [name, schema]),
      ),
      body: described.requestBody?.content['application/json']?.schema,
      replies: new Map(
        Object.entries(described.responses).flatMap(([status, response]) => {
          const schema = contentOf(document, response)
          return schema === undefined ? [] : [[status, compile(ajv, document, schema)]]
        }),
      ),
    })),
  )
}

function contentOf({ components }: Document, response: Response): JsonSchema | undefined {
  const name = response.$ref?.replace('#/components/responses/', '')
  return (name === undefined ? response : components.responses[name])?.content?.['application/json'].schema
}

/** `#/components/…` is looked up in the schema itself. */
function compile(ajv: Ajv2020, { components }: Document, schema: JsonSchema): ValidateFunction {
  return ajv.compile({ ...closed(schema), components: closed(components) })
}

/** Objects with named fields may have no others: a returned field without a description is a finding. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => [name, closed(value)] as const)
  const isObject = 'type' in schema && schema.type === 'object' && 'properties' in schema
  const isOpen = 'additionalProperties' in schema
  return Object.fromEntries(isObject && !isOpen ? [...entries, ['additionalProperties', false]] : entries) as T
}
