import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { jsonSchema } from './json-schema.ts'
import { openApiDocument } from './openapi.ts'
import { ROUTES } from './routes/all.ts'

describe('jsonSchema', () => {
  it('keeps the restrictions of a pipe and leaves transformations out', () => {
    const schema = v.pipe(v.string(), v.trim(), v.minLength(3), v.maxLength(30), v.regex(/^a/), v.transform(Number))
    expect(jsonSchema(schema)).toEqual({ type: 'string', minLength: 3, maxLength: 30, pattern: '^a' })
  })

  it('calls a whole number an integer with its bounds', () => {
    expect(jsonSchema(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9)))).toEqual({
      type: 'integer',
      minimum: 0,
      maximum: 9,
    })
  })

  it('requires what is not optional and shows defaults', () => {
    const schema = v.object({
      a: v.boolean(),
      b: v.optional(v.picklist(['x', 'y']), 'x'),
      c: v.optional(v.nullable(v.string())),
    })
    expect(jsonSchema(schema)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'boolean' },
        b: { enum: ['x', 'y'], default: 'x' },
        c: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['a'],
    })
  })

  it('refuses a schema kind it does not know instead of describing it wrongly', () => {
    expect(() => jsonSchema(v.date())).toThrow('schema kind "date"')
  })
})

const SECURITY: Readonly<Record<string, readonly object[]>> = {
  public: [],
  optional: [{}, { session: [] }, { accessToken: [] }],
  api_key: [{ apiKey: [] }],
}

describe('openApiDocument', () => {
  const document = openApiDocument(ROUTES, '1.2.3')

  it('lists every route once, with its own operation id', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(operations).toHaveLength(ROUTES.length)
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(ROUTES.length)
  })

  it('turns path parameters into braces and describes them', () => {
    expect(document.paths['/api/token/{id}']?.['get']?.parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
    ])
    expect(document.paths['/api/trace/{trace_id}']?.['get']?.parameters).toEqual([
      { name: 'trace_id', in: 'path', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{32}$' } },
    ])
  })

  it('asks for a session or an access token exactly where the route does', () => {
    for (const { spec, name } of ROUTES) {
      const path = spec.path.replace(/:(\w+)/g, '{$1}')
      expect(document.paths[path]?.[spec.method.toLowerCase()]?.security, name).toEqual(
        SECURITY[spec.access] ?? [{ session: [] }, { accessToken: [] }],
      )
    }
  })

  it('offers the status body as an alternative to the full one', () => {
    const schema = document.paths['/api/token/']?.['put']?.requestBody?.content['application/json']?.schema
    expect(schema?.anyOf).toHaveLength(2)
  })
})
