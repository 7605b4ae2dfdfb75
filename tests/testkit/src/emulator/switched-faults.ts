/** A temporary fault: all calls to a place, or with a key, behave as the model `as`. */
export interface SwitchedFault {
  readonly at?: string
  /** The provider's key, without `Bearer`. */
  readonly key?: string
  readonly as: string
  /** Milliseconds until it ends automatically; without it, it lasts until switched off. */
  readonly forMs?: number
  /** Number of connections to reset before it ends automatically. */
  readonly cuts?: number
  /** Limits it to calls with this text in the body. */
  readonly within?: string
}

/** A newer fault replaces an older one of the same place or key. */
export interface SwitchedFaults {
  switchOn(fault: SwitchedFault): void
  switchOff(fault: Pick<SwitchedFault, 'at' | 'key'>): void
  /** The model to imitate; undefined for the requested one. */
  modelFor(place: string, key: string, body: string): string | undefined
  /** Records that a connection was reset. */
  cut(place: string, key: string, body: string): void
}

/** @param now unix milliseconds */
export function createSwitchedFaults(now: () => number): SwitchedFaults {
  const faults = new Map<string, { readonly as: string; readonly until: number; cuts: number; within: string }>()
  const standing = (name: string, body: string): string | undefined => {
    const fault = faults.get(name)
    return fault !== undefined && fault.until > now() && body.includes(fault.within) ? fault.as : undefined
  }
  return {
    switchOn: ({ as, forMs = Infinity, cuts = Infinity, within = '', ...where }) =>
      void faults.set(nameOf(where), { as, until: now() + forMs, cuts, within }),
    switchOff: (where) => void faults.delete(nameOf(where)),
    modelFor: (place, key, body) =>
      faults.size === 0 ? undefined : (standing(atPlace(place), body) ?? standing(withKey(key), body)),
    cut: (place, key, body) => {
      const name = standing(atPlace(place), body) === undefined ? withKey(key) : atPlace(place)
      const fault = faults.get(name)
      if (fault === undefined) return
      fault.cuts -= 1
      if (fault.cuts <= 0) faults.delete(name)
    },
  }
}

const atPlace = (place: string) => `at ${place}`
const withKey = (key: string) => `key ${key}`

function nameOf({ at, key }: Pick<SwitchedFault, 'at' | 'key'>): string {
  return at === undefined ? withKey(key ?? '') : atPlace(at)
}

/** A switch as JSON: `{"at" | "key", "as", "forMs"}`; an empty `as` switches off. Undefined for anything else. */
export function readSwitch(text: string): SwitchedFault | undefined {
  const { at, key, as, forMs, cuts } = parse(text)
  if (typeof as !== 'string' || (typeof at !== 'string' && typeof key !== 'string')) return undefined
  return {
    as,
    ...(typeof at === 'string' ? { at } : {}),
    ...(typeof key === 'string' ? { key } : {}),
    ...(typeof forMs === 'number' ? { forMs } : {}),
    ...(typeof cuts === 'number' ? { cuts } : {}),
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
