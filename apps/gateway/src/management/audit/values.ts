import { createHash } from 'node:crypto'

/** Recorded values of one object by field name: short, flat, without secrets. */
export type Values = Readonly<Record<string, string | number | boolean | null>>

/** Limit of a recorded text: rows are kept forever. */
const TEXT_LIMIT = 2_000

/** Input fields whose values are never recorded. */
const SECRET_NAME = /pass|secret|token|code|key|credential|config|response|assertion|authorization|document/i

/** Stands for a secret: changes with the stored text, which is sealed (random nonce) or hashed (salt), and reveals nothing. */
export function secretMark(stored: string | null): string | null {
  if (stored === null || stored === '') return stored
  return `(secret ${createHash('sha256').update(stored).digest('hex').slice(0, 8)})`
}

export function plainValue(value: unknown): Values[string] {
  switch (typeof value) {
    case 'number':
    case 'boolean':
      return value
    case 'string':
      return value.length > TEXT_LIMIT ? `${value.slice(0, TEXT_LIMIT)}…` : value
    case 'bigint':
      return String(value)
    default:
      return value === null || value === undefined ? null : plainValue(JSON.stringify(value) ?? '')
  }
}

/** The input of a call whose effect cannot be read from one row. Possible secrets are left out. */
export function inputValues(input: unknown): Values {
  if (typeof input !== 'object' || input === null) return {}
  const entries = Object.entries(input).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name,
      SECRET_NAME.test(name) || typeof value === 'object' ? '(not recorded)' : plainValue(value),
    ]),
  )
}

export function difference(before: Values | undefined, after: Values | undefined) {
  const names = Object.keys({ ...before, ...after }).filter((name) => before?.[name] !== after?.[name])
  const pick = (from: Values | undefined): Values =>
    from === undefined ? {} : Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  return { before: pick(before), after: pick(after) }
}
