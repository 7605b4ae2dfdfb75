import fc, { type Arbitrary } from 'fast-check'

/** The part of JSON Schema that the API document uses. */
export interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema
  readonly anyOf?: readonly Schema[]
  readonly pattern?: string
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** Texts that have broken parsers, paths, queries and tables somewhere. */
const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  'null',
  '-1',
  '1e309',
  '9007199254740993',
  '2147483648',
  "' or 1=1 --",
  '%',
  '_%\\',
  '../../etc/passwd',
  '//evil.example',
  'http://169.254.169.254/',
  'javascript:alert(1)',
  '=cmd|calc',
  '{{7*7}}',
  '__proto__',
  '\u202e\ufeff\ud800',
  '😀'.repeat(50),
  'x'.repeat(5_000),
  '{"a":',
  '[]',
  'true',
]

const oddNumber = fc.constantFrom(
  0,
  -0,
  -1,
  0.5,
  2_147_483_647,
  2_147_483_648,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  -Number.MAX_SAFE_INTEGER,
  1e300,
  1_000_000_000_000_000,
)

/** Anything that JSON can say. */
const anything: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  oddNumber,
  fc.constant(null),
  fc.boolean(),
  fc.array(fc.constantFrom(...ODD_TEXTS), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('id', 'key', '__proto__', 'constructor'), oddNumber, { maxKeys: 2 }),
)

/** Values that fit a schema, mixed with some that do not: one in eight of every part is odd. */
export function valueFor(schema: Schema): Arbitrary<unknown> {
  return fc.oneof({ arbitrary: fitting(schema), weight: 7 }, { arbitrary: anything, weight: 1 })
}

function fitting(schema: Schema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueFor))
  switch (schema.type) {
    case 'object':
      return objectFor(schema)
    case 'array':
      return fc.array(valueFor(schema.items ?? {}), { maxLength: 3 })
    case 'integer':
      return fc.oneof(fc.integer({ min: 1, max: 12 }), wholeNumber(schema), oddNumber)
    case 'number':
      return fc.oneof(wholeNumber(schema), fc.double({ noNaN: true, noDefaultInfinity: true }), oddNumber)
    case 'boolean':
      return fc.boolean()
    case 'string':
      return textFor(schema)
    case 'null':
      return fc.constant(null)
    default:
      return anything
  }
}

function objectFor({ properties = {}, required = [], additionalProperties }: Schema): Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueFor(schema)]))
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
  if (additionalProperties === undefined) return known
  const more = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), valueFor(additionalProperties), { maxKeys: 3 })
  return fc.tuple(more, known).map(([extra, own]) => ({ ...extra, ...own }))
}

function wholeNumber({ minimum = -1_000, maximum = 1_000_000 }: Schema): Arbitrary<number> {
  return fc.integer({ min: Math.max(minimum, -2_147_483_648), max: Math.min(maximum, 2_147_483_647) })
}

/** Words that mean something to some call, so that calls meet each other's rows. */
const WORDS = [
  'default',
  'gpt-4o',
  'root',
  'ann',
  'SystemName',
  'enable',
  'disable',
  'id',
  'desc',
  '1',
  '7',
  '2026-11-01',
]

function textFor({ pattern, format, minLength = 0, maxLength = 40 }: Schema): Arbitrary<string> {
  if (format === 'email') return fc.constantFrom('ann@example.org', 'bob@example.org', 'a@b')
  if (pattern !== undefined) return fc.oneof(fc.stringMatching(new RegExp(pattern)), fc.constantFrom(...WORDS))
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
  return fc.oneof({ arbitrary: plain, weight: 2 }, { arbitrary: fc.constantFrom(...WORDS), weight: 3 })
}
