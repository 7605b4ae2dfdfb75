/** Makes a part of the provider fail for a while: all calls to one place, or with one key, behave like the model `as`. */
export interface SwitchedFault {
  /** Name of the place; see `Emulator.at`. */
  readonly at?: string
  /** The provider's key, without `Bearer`. */
  readonly key?: string
  readonly as: string
  /** Milliseconds until it ends on its own; without it, it lasts until it is switched off. */
  readonly forMs?: number
  /** Number of connections to reset before it ends on its own. */
  readonly cuts?: number
  /** Only calls with this text in their body. */
  readonly within?: string
}

/** Faults that are switched on while the emulator runs. A newer fault for the same place or key replaces the older one. */
export interface SwitchedFaults {
  switchOn(fault: SwitchedFault): void
  switchOff(fault: Pick<SwitchedFault, 'at' | 'key'>): void
  /** The model whose behaviour a call should get; undefined for the one that it names. */
  modelFor(place: string, key: string, body: string): string | undefined
  /** A connection was reset. */
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

/** A switch as JSON: `{"at" | "key", "as", "forMs"}`; an empty `as` switches off. Undefined if the text is not a valid switch. */
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
