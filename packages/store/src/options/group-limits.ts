import { LIMIT_MAX, NO_LIMITS, type RequestLimits } from './request-limits.ts'

/** Request limits for each user of a group, over all of the user's tokens. A group that is not named has no limits. */
export type GroupLimits = ReadonlyMap<string, RequestLimits>

const GROUPS_MAX = 1_000
const NAMES = ['rpm', 'tpm', 'concurrency'] as const

/** Reads `{"default": {"rpm": 60, "tpm": 100000, "concurrency": 10}}`; anything left out is not limited. */
export function parseGroupLimits(parsed: unknown): { readonly value: GroupLimits } | { readonly problem: string } {
  if (!isObject(parsed)) return { problem: 'must be a JSON object that maps a group to its limits' }
  const entries = Object.entries(parsed)
  if (entries.length > GROUPS_MAX) return { problem: `may list at most ${GROUPS_MAX} groups` }
  const value = new Map<string, RequestLimits>()
  for (const [group, limits] of entries) {
    const shown = `"${group.slice(0, 32)}"`
    if (!isObject(limits)) return { problem: `needs an object like {"rpm": 60} for ${shown}` }
    const unknown = Object.keys(limits).find((name) => !NAMES.some((each) => each === name))
    if (unknown !== undefined) {
      return { problem: `supports only ${NAMES.join(', ')}, but ${shown} contains "${unknown.slice(0, 32)}"` }
    }
    for (const name of NAMES) {
      const limit = limits[name] ?? 0
      if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0 || limit > LIMIT_MAX) {
        return { problem: `needs a whole number from 0 to ${LIMIT_MAX} in ${name} of ${shown}` }
      }
    }
    value.set(group, { ...NO_LIMITS, ...limits })
  }
  return { value }
}

/** The limits as the text of the setting; anything without a limit is left out. */
export function groupLimitsText(limits: GroupLimits): string {
  const shown = [...limits].map(([group, each]) => [
    group,
    Object.fromEntries(NAMES.filter((name) => each[name] > 0).map((name) => [name, each[name]])),
  ])
  return JSON.stringify(Object.fromEntries(shown))
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
