import { type JsonSchema, jsonSchema } from '@sluice/contract/json-schema'
import { replyProblems } from '@sluice/contract/reply-problems'
import { type NamedRoute, ROUTES } from '@sluice/contract/routes/all'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readReply } from '../../apps/console/src/lib/http/read-reply.ts'
import { specifiedReply } from '../console/specified-replies.ts'
import { valueFor } from './arbitrary.ts'

/** Every schema by which the console may read a reply. */
const SCHEMAS = ROUTES.flatMap(({ name, spec: { data, extra } }) => [
  ...(data === undefined ? [] : [{ name, schema: data }]),
  ...(extra === undefined ? [] : [{ name: `${name} extra`, schema: extra }]),
])
const RUNS = { numRuns: 40 }

/** Whether a screen can rely on the type of what was read: every field, with its type. NaN stands for an unknown number. */
function hasShape(schema: JsonSchema, value: unknown): boolean {
  if (schema.anyOf !== undefined) return schema.anyOf.some((each) => hasShape(each, value))
  if (schema.enum !== undefined) return schema.enum.includes(value)
  if (schema.const !== undefined) return schema.const === value
  switch (schema.type) {
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
      const { properties = {}, required = [], additionalProperties } = schema
      const isKnown = (name: string) => additionalProperties !== false || Object.hasOwn(properties, name)
      return (
        required.every((name) => Object.hasOwn(value, name)) &&
        Object.entries(value).every(
          ([name, each]) => isKnown(name) && hasShape(properties[name] ?? (additionalProperties || {}), each),
        )
      )
    }
    case 'array':
      return Array.isArray(value) && value.every((each) => hasShape(schema.items ?? {}, each))
    case 'null':
      return value === null
    case 'integer':
    case 'number':
      return typeof value === 'number'
    default:
      return schema.type === undefined || schema.type === typeof value
  }
}

const isAgreed = (schema: (typeof SCHEMAS)[number]['schema'], sent: unknown) =>
  replyProblems({ data: schema }, { data: sent }).length === 0

/** Removes what JSON cannot express: undefined and -0. */
const asSent = (reply: unknown): unknown => JSON.parse(JSON.stringify(reply) ?? 'null')

test.each(SCHEMAS)(
  'whatever arrives for $name is read without a throw, and has the shape that screens rely on',
  ({ schema }) => {
    const shape = jsonSchema(schema)
    const replies = fc.oneof(valueFor(shape, 'odd'), fc.jsonValue())
    fc.assert(
      fc.property(replies, (reply) => {
        const read = readReply(schema, asSent(reply))
        if (read === undefined || (read.value === undefined && schema.type === 'optional')) return
        expect(hasShape(shape, read.value), JSON.stringify([reply, read.value])).toBe(true)
      }),
      RUNS,
    )
  },
)

test.each(SCHEMAS)('what the gateway sends for $name is read as it was sent', ({ schema }) => {
  fc.assert(
    fc.property(valueFor(jsonSchema(schema), 'fitting'), (reply) => {
      const sent = asSent(reply)
      if (isAgreed(schema, sent)) expect(readReply(schema, sent)).toMatchObject({ value: sent })
    }),
    RUNS,
  )
})

const PATHS = (path: string) => path.replace(':id', '7')
const SPECIFIED = ROUTES.filter(
  ({ spec }) => specifiedReply(spec.method, PATHS(spec.path), { success: true, message: '' }) !== undefined,
)

test.each(SPECIFIED)('$name shows a reply that is cut down to the specification', ({ spec }: NamedRoute) => {
  const { data, extra } = spec
  const replies = fc.record({
    success: fc.constant(true),
    message: fc.constant(''),
    data: data === undefined ? fc.constant(undefined) : valueFor(jsonSchema(data), 'fitting'),
  })
  fc.assert(
    fc.property(replies, (reply) => {
      if (data !== undefined && !isAgreed(data, reply.data)) return
      const left = specifiedReply(spec.method, PATHS(spec.path), reply) as { readonly data?: unknown }
      if (data !== undefined) {
        const read = readReply(data, left.data)
        expect(read === undefined && spec.confirmed !== true, JSON.stringify(left)).toBe(false)
        if (Array.isArray(left.data)) expect(read?.value).toHaveLength(left.data.length)
      }
      if (extra !== undefined) expect(readReply(extra, left)).toBeDefined()
    }),
    RUNS,
  )
})

test('the table of the specification names no route that the contract does not have', () => {
  expect(SPECIFIED.length).toBeGreaterThan(60)
})
