import type { JsonSchema } from '@sluice/contract/json-schema'
import * as fc from 'fast-check'
import type { Arbitrary } from 'fast-check'

/** Texts that are known to break parsers, paths, queries and tables. */
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

const anything: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  oddNumber,
  fc.constant(null),
  fc.boolean(),
  fc.array(fc.constantFrom(...ODD_TEXTS), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('id', 'key', '__proto__', 'constructor'), oddNumber, { maxKeys: 2 }),
)

/** `fitting`: every part conforms to the schema. `odd`: one in four is any other JSON value. */
export type Manner = 'fitting' | 'odd'

/** A value for a schema. `name` is the field's name, which suggests sensible values that no schema states. */
export function valueFor(schema: JsonSchema, manner: Manner, name = ''): Arbitrary<unknown> {
  const usual = SENSIBLE[name]
  const plain = fitting(schema, manner)
  const likely = usual === undefined ? plain : fc.oneof(plain, fc.constantFrom(...usual))
  return manner === 'fitting' ? likely : fc.oneof({ arbitrary: likely, weight: 3 }, { arbitrary: anything, weight: 1 })
}

/** Typical values of these fields; without them, few calls would pass their own checks. */
const SENSIBLE: Readonly<Record<string, readonly unknown[]>> = {
  base_url: ['https://api.openai.com', 'http://127.0.0.1:1'],
  channel: ['', '1'],
  count: [1, 3],
  date: ['2026-11-01'],
  email: ['ann@example.org'],
  end_timestamp: ['0', '1795000000'],
  expired_time: [-1, 1_800_000_000],
  from_date: ['', '2026-11-01'],
  to_date: ['', '2026-11-20'],
  group: ['default', 'vip'],
  id: [1, 2, 6, 7],
  key: ['sk-fuzz', 'SystemName', 'SMTPToken', 'GroupRatio', 'Notice'],
  keyword: ['', 'an', 'gpt'],
  models: ['gpt-4o', ''],
  model_configs: ['{"gpt-4o":{"ratio":1}}', '{}', ''],
  model_mapping: ['{"a":"gpt-4o"}', ''],
  order: ['asc', 'desc', ''],
  p: ['0', '1', '3'],
  password: ['password-1'],
  quota: [0, 1, 500_000],
  size: ['10', '100'],
  sort: ['id', 'name', 'quota', 'used_quota', ''],
  start_timestamp: ['0', '1793000000'],
  status: [1, 2],
  status_only: ['1', ''],
  subnet: ['10.0.0.0/8', ''],
  target_timestamp: ['1'],
  type: [0, 1, 3, 14, 33, 41, 50, '0', '1', '2', '33'],
  user_id: [1, 2, 'all', ''],
  username: ['ann', 'bob', 'root', ''],
  value: ['true', 'false', '1', '{"default":1}', 'text'],
}

function fitting(schema: JsonSchema, manner: Manner): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => valueFor(each, manner)))
  const extreme = manner === 'odd' ? [oddNumber] : []
  switch (schema.type) {
    case 'object':
      return objectFor(schema, manner)
    case 'array':
      return fc.array(valueFor(schema.items ?? {}, manner), { maxLength: 3 })
    case 'integer':
      return fc.oneof(fc.integer({ min: 1, max: 12 }), wholeNumber(schema), ...extreme)
    case 'number':
      return fc.oneof(wholeNumber(schema), fc.double({ noNaN: true, noDefaultInfinity: true }), ...extreme)
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

function objectFor(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  manner: Manner,
): Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valueFor(schema, manner, name)]),
  )
  const known = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) })
  if (additionalProperties === undefined || additionalProperties === false) return known
  const name = fc.string({ minLength: 1, maxLength: 8 })
  const more = fc.dictionary(name, valueFor(additionalProperties, manner), { maxKeys: 3 })
  return fc.tuple(more, known).map(([extra, own]) => ({ ...extra, ...own }))
}

function wholeNumber({ minimum = -1_000, maximum = 1_000_000 }: JsonSchema): Arbitrary<number> {
  return fc.integer({ min: Math.max(minimum, -2_147_483_648), max: Math.min(maximum, 2_147_483_647) })
}

/** Words with a meaning in some call, so that calls find each other's rows. */
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

function textFor({ pattern, format, minLength = 0, maxLength = 40 }: JsonSchema): Arbitrary<string> {
  if (format === 'email') return fc.constantFrom('ann@example.org', 'bob@example.org', 'a@b')
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const plain = fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) })
  return fc.oneof(
    { arbitrary: plain, weight: 2 },
    { arbitrary: fc.constantFrom(...WORDS.filter((word) => word.length >= minLength)), weight: 3 },
  )
}
