import * as fc from 'fast-check'
import type { Frame } from '../../src/canon/codec.ts'
import { asObject, type JsonObject, parseJson } from '../../src/json-value.ts'

/** Values that a wrong, old, broken or malicious provider might send in place of others. */
const SPITE = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  'x',
  '{',
  '[DONE]',
  '\ud800',
  '\u0000',
  'sluice.1.gemini.-..x',
  'sluice.1.gemini.-.%.x',
  'data:image/png;base64,',
  'stop',
  'error',
  [],
  {},
  [[]],
  [null],
  [{}],
  { type: 'error' },
  { text: 7 },
  { error: { message: 7 } },
  { __proto__: null, constructor: 1, toString: 2 },
] as const

/** Nested so deep that a recursive reader would run out of stack. */
const DEEP: unknown = JSON.parse(`${'[{"a":'.repeat(500)}1${'}]'.repeat(500)}`)

const spite: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom<unknown>(...SPITE) },
  { weight: 1, arbitrary: fc.constant(DEEP) },
)

/** A change somewhere inside a value: `path` selects members by position, modulo their number. */
interface Harm {
  readonly path: readonly number[]
  readonly how: 'put' | 'drop' | 'double'
  readonly value: unknown
}

const harm: fc.Arbitrary<Harm> = fc.record({
  path: fc.array(fc.nat(15), { minLength: 1, maxLength: 8 }),
  how: fc.constantFrom('put', 'put', 'drop', 'double'),
  value: spite,
})

/** The value with one nested member replaced, left out or repeated. */
function doHarm(value: unknown, { path, how, value: put }: Harm, depth = 0): unknown {
  const at = path[depth]
  if (at === undefined || typeof value !== 'object' || value === null) return how === 'put' ? put : value
  const names = Object.keys(value)
  const name = names[at % Math.max(names.length, 1)]
  if (name === undefined) return put
  const isLast = depth === path.length - 1
  if (Array.isArray(value)) {
    const list: unknown[] = value
    const index = Number(name)
    if (isLast && how === 'drop') return list.toSpliced(index, 1)
    if (isLast && how === 'double') return [...list, list[index]]
    return list.with(index, doHarm(list[index], { path, how, value: put }, depth + 1))
  }
  const fields = value as JsonObject
  if (isLast && how === 'drop') return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
  return { ...fields, [name]: doHarm(fields[name], { path, how, value: put }, depth + 1) }
}

/** Damaged copies of real values, and values that were never valid. */
export function harmedValues(real: readonly JsonObject[]): fc.Arbitrary<JsonObject> {
  const changed = harmed(fc.constantFrom(...real))
  const stray = fc
    .dictionary(fc.constantFrom(...names(real)), spite, { maxKeys: 6, noNullPrototype: true })
    .map((value): JsonObject => value)
  return fc.oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: stray })
}

export function harmed(whole: fc.Arbitrary<JsonObject>): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(whole, fc.array(harm, { minLength: 1, maxLength: 3 }))
    .map(([value, harms]) => asObject(harms.reduce<unknown>((so, next) => doHarm(so, next), value)) ?? {})
}

function names(values: readonly JsonObject[]): readonly string[] {
  const found = new Set<string>(['type'])
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk)
    const fields = Array.isArray(value) ? undefined : asObject(value)
    for (const [name, member] of Object.entries(fields ?? {})) {
      found.add(name)
      walk(member)
    }
  }
  values.forEach(walk)
  return [...found]
}

type FrameHarm =
  | { readonly how: 'keep' | 'drop' | 'double' | 'swap' }
  | { readonly how: 'inside'; readonly harm: Harm }
  | { readonly how: 'instead'; readonly frame: Frame }

/** Real streams with frames left out, doubled, swapped, cut or damaged inside. */
export function harmedStreams(real: readonly (readonly Frame[])[]): fc.Arbitrary<readonly Frame[]> {
  const all = real.flat()
  const junk = fc.record({
    name: fc.constantFrom('', 'error', 'exception:throttlingException', ...new Set(all.map(({ name }) => name))),
    data: fc.oneof(
      fc.constantFrom('', '{', 'null', '[]', '[DONE]', '"x"', '{"error":{"message":"m"}}'),
      fc.string({ maxLength: 12 }),
    ),
  })
  const mixed = fc.constantFrom(...all)
  const change: fc.Arbitrary<FrameHarm> = fc.oneof(
    { weight: 12, arbitrary: fc.constant<FrameHarm>({ how: 'keep' }) },
    { weight: 3, arbitrary: fc.constantFrom<FrameHarm>({ how: 'drop' }, { how: 'double' }, { how: 'swap' }) },
    { weight: 4, arbitrary: harm.map((inside): FrameHarm => ({ how: 'inside', harm: inside })) },
    { weight: 1, arbitrary: fc.oneof(junk, mixed).map((frame): FrameHarm => ({ how: 'instead', frame })) },
  )
  return fc
    .record({
      stream: fc.constantFrom(...real),
      changes: fc.array(change, { minLength: 1, maxLength: 12 }),
      from: fc.nat(40),
      cut: fc.option(fc.nat(40), { nil: undefined, freq: 4 }),
    })
    .map(({ stream, changes, from, cut }) => {
      const out: Frame[] = []
      for (const [at, frame] of stream.entries()) {
        if (at === cut) break
        // The damage is in one stretch, so that undamaged frames precede it.
        const change = changes[(at - (from % stream.length) + stream.length) % stream.length] ?? { how: 'keep' }
        apply(out, frame, change)
      }
      return out
    })
}

function apply(out: Frame[], frame: Frame, change: FrameHarm): void {
  switch (change.how) {
    case 'drop':
      return
    case 'keep':
      out.push(frame)
      return
    case 'double':
      out.push(frame, frame)
      return
    case 'swap':
      out.splice(Math.max(out.length - 1, 0), 0, frame)
      return
    case 'inside':
      out.push({ ...frame, data: harmedText(frame.data, change.harm) })
      return
    case 'instead':
      out.push(change.frame)
  }
}

function harmedText(data: string, done: Harm): string {
  const value = parseJson(data)
  return value === undefined ? data.slice(0, done.path[0]) : JSON.stringify(doHarm(value, done))
}
