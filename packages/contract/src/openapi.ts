import type * as v from 'valibot'
import { type JsonSchema, jsonSchema } from './json-schema.ts'
import type { Access, RouteSpec } from './route.ts'
import type { NamedRoute } from './routes/all.ts'

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: JsonSchema
}

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: true
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>
  }
  readonly responses: Readonly<Record<string, object>>
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: object
}

const DESCRIPTION = [
  'The management API. Replies are envelopes with `success`, `message` and usually `data`; a refused call returns HTTP',
  '200 with `success: false` and a `code`. 401 means only that the session is lost, 403 only that the role is too low.',
  'A trailing slash is optional on every path. Callers that send `page_size`, or the header `New-Api-User`, get lists as',
  'New API has them: `p` counts from 1, and `data` is an object with `items`, `total`, `page` and `page_size`.',
].join(' ')

export function openApiDocument(routes: readonly NamedRoute[], version: string): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = route.spec.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.spec.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Sluice management API', version, description: DESCRIPTION },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session' },
        apiKey: { type: 'http', scheme: 'bearer' },
        accessToken: { type: 'apiKey', in: 'header', name: 'Authorization' },
      },
      schemas: { Failure: FAILURE, BareFailure: BARE_FAILURE },
      responses: {
        Refused: failureResponse('Invalid, not found, or too frequent'),
        BareRefused: bareReply('Refused', { $ref: '#/components/schemas/BareFailure' }),
        NotSignedIn: failureResponse('No session'),
        NotAllowed: failureResponse('The role is too low, or the account is disabled'),
      },
    },
  }
}

const FAILURE: JsonSchema = {
  type: 'object',
  properties: {
    success: { const: false },
    message: { type: 'string' },
    code: { type: 'string' },
    /** What to ask the user for next, such as `totp_required`. */
    data: { type: 'object', additionalProperties: { const: true } },
  },
  required: ['success', 'message', 'code'],
}

/** A failure in OpenAI's format, for replies without an envelope, which OpenAI's clients read. */
const BARE_FAILURE: JsonSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        message: { type: 'string' },
        type: { type: 'string' },
        param: { anyOf: [{ type: 'string' }, { type: 'null' }] },
        code: { type: 'string' },
      },
      required: ['message', 'type', 'param', 'code'],
    },
  },
  required: ['error'],
}

function operation({ name, resource, spec }: NamedRoute): Operation {
  const parameters = [...pathParameters(spec), ...queryParameters(spec.query)]
  const body = bodySchema(spec)
  return {
    operationId: name,
    tags: [resource],
    summary: spec.summary,
    ...describeAccess(spec.access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    ...(spec.upload
      ? { requestBody: { required: true, content: { 'application/octet-stream': { schema: {} } } } }
      : {}),
    responses: {
      200: spec.bare && spec.data ? bareReply('Done', jsonSchema(spec.data)) : envelopeReply(spec),
      default: { $ref: `#/components/responses/${spec.bare ? 'BareRefused' : 'Refused'}` },
      ...(spec.access === 'public' || spec.access === 'optional' || spec.bare
        ? {}
        : { 401: { $ref: '#/components/responses/NotSignedIn' }, 403: { $ref: '#/components/responses/NotAllowed' } }),
    },
  }
}

function describeAccess(access: Access): Pick<Operation, 'description' | 'security'> {
  const signedIn = [{ session: [] }, { accessToken: [] }]
  switch (access) {
    case 'public':
      return { security: [] }
    case 'optional':
      return { security: [{}, ...signedIn], description: 'Shows more to signed-in callers.' }
    case 'api_key':
      return { security: [{ apiKey: [] }], description: 'Needs an API key, as the relay does.' }
    default:
      return { security: signedIn, description: `Needs the capability \`${access}\`.` }
  }
}

function envelopeReply(spec: RouteSpec): object {
  const schema = { anyOf: [replySchema(spec), { $ref: '#/components/schemas/Failure' }] }
  return { description: 'Done, or refused with `success: false`', content: { 'application/json': { schema } } }
}

function bareReply(description: string, schema: object): object {
  return { description, content: { 'application/json': { schema } } }
}

function failureResponse(description: string): object {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } }
}

function pathParameters({ path, params = {} }: RouteSpec): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema:
      params[name] === undefined ? { type: 'integer', minimum: 1 } : { type: 'string', pattern: `^${params[name]}$` },
  }))
}

function queryParameters(query: v.GenericSchema | undefined): Parameter[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(query)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

function bodySchema(spec: RouteSpec): JsonSchema | undefined {
  if (spec.body === undefined) return undefined
  if (spec.statusBody === undefined) return jsonSchema(spec.body)
  return { anyOf: [jsonSchema(spec.body), jsonSchema(spec.statusBody)] }
}

function replySchema(spec: RouteSpec): JsonSchema {
  const extra = spec.extra === undefined ? {} : jsonSchema(spec.extra).properties
  return {
    type: 'object',
    properties: {
      success: spec.reportsOutcome ? { type: 'boolean' } : { const: true },
      message: { type: 'string' },
      ...(spec.data === undefined ? {} : { data: jsonSchema(spec.data) }),
      ...(spec.paged ? { total: { type: 'integer', minimum: 0 } } : {}),
      ...extra,
    },
    required: ['success', 'message', ...(spec.data === undefined ? [] : ['data']), ...(spec.paged ? ['total'] : [])],
  }
}
