import * as v from 'valibot'
import type { Variable } from './variable.ts'
import { VARIABLES } from './variables.ts'

type Values = { readonly [K in keyof typeof VARIABLES]: v.InferOutput<(typeof VARIABLES)[K]['schema']> }

/** The checked configuration. Times are milliseconds, sizes bytes; empty text means "not set". */
export type Config = Values

export type ConfigResult =
  | { readonly config: Config; readonly problems?: never }
  /** One sentence per faulty variable; values of secret variables are never repeated. */
  | { readonly config?: never; readonly problems: readonly string[] }

const rows: readonly (readonly [string, Variable])[] = Object.entries(VARIABLES)

/** Reads the environment. All problems are reported together, so one round of corrections is enough. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>>): ConfigResult {
  const problems = unknownNames(environment)
  const values: Record<string, unknown> = {}
  for (const [key, row] of rows) {
    const text = environment[row.name] ?? row.fallback
    const parsed = v.safeParse(row.schema, text)
    if (parsed.success) values[key] = Object.freeze(parsed.output)
    else problems.push(`${row.name}${row.secret ? '' : `=${text}`}: ${parsed.issues[0].message}.`)
  }
  // The loop parsed every key of VARIABLES with its own schema, which the type system cannot follow.
  return problems.length > 0 ? { problems } : { config: Object.freeze(values) as Config }
}

/**
 * A misspelt variable would silently keep its default, so any unknown `SLUICE_*` is an error. `SLUICE_SECRET_*` are for references
 * in configuration files, and `SLUICE_TEST_*` for the test suites, which start their own gateways.
 */
function unknownNames(environment: Readonly<Record<string, string | undefined>>): string[] {
  const known = rows.map(([, row]) => row.name)
  return Object.keys(environment)
    .filter((name) => /^SLUICE_(?!TEST_|SECRET_)/.test(name) && !known.includes(name) && name !== PACKAGE_DEFAULTS)
    .map((name) => REMOVED[name] ?? `${name} is not a variable of Sluice. Did you mean ${nearestName(name, known)}?`)
}

const REMOVED: Readonly<Record<string, string>> = {
  SLUICE_RELAY_THREADS:
    'SLUICE_RELAY_THREADS: relay threads no longer exist. Remove the variable; to use several cores, run several processes on ' +
    'PostgreSQL with SLUICE_PROCESSES.',
}

/** Set by the launcher of the npm package: names of the variables with its defaults, which the user has not set. */
const PACKAGE_DEFAULTS = 'SLUICE_PACKAGE_DEFAULTS'

/** The output of `sluice config --explain`: one block per variable with its current value. */
export function explainConfig(environment: Readonly<Record<string, string | undefined>>): string {
  const ofPackage = environment[PACKAGE_DEFAULTS]?.split(',') ?? []
  return rows
    .map(([, row]) => {
      const set = environment[row.name]
      const shown = row.secret ? (set ? '(set, not shown)' : '(not set)') : (set ?? row.fallback)
      const given = ofPackage.includes(row.name) ? 'default of the npm package' : 'environment'
      const source = set === undefined ? 'default' : given
      return `${row.name} = ${shown === '' ? '(not set)' : shown}   [${source}]\n  ${row.reason}\n  Example: ${row.name}=${row.example}\n`
    })
    .join('\n')
}

/** The name most similar to a misspelt one; empty for none. */
export function nearestName(name: string, known: Iterable<string>): string {
  let best = ''
  let bestDistance = Infinity
  for (const candidate of known) {
    const distance = editDistance(name, candidate)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}
