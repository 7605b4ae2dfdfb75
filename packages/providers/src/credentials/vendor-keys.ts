import { kindOf } from '../kinds/all.ts'
import { VENDORS, vendorOf, vendorOfKey } from '../kinds/vendor-hosts.ts'
import { callerCredentials } from './caller-credentials.ts'

/** Names of the vendors that callers' own keys may be sent to. */
export const VENDOR_NAMES: readonly string[] = VENDORS.map(({ name }) => name)

/** Why a text cannot be a key of a vendor, as far as its form says: it is one of another vendor, or of a form that is not sent. */
export function vendorKeyProblem(name: string, key: string): { readonly owner: string } | 'unfit' | undefined {
  const owner = vendorOfKey(key)
  if (owner !== undefined && owner.name !== name) return { owner: owner.name }
  for (const code of VENDORS.find((vendor) => vendor.name === name)?.kinds ?? []) {
    const kind = kindOf(code)
    if (kind === undefined) continue
    const setup = { kind, baseUrl: '', config: {}, other: '', inferenceProfileArnMap: null }
    const rule = { mode: 'caller', vendor: name, ratio: 0n, origins: [] } as const
    const made = callerCredentials(setup, rule, key)
    if ('problem' in made) return 'unfit'
  }
  return undefined
}

/** The vendor whose keys a channel of this type takes from its callers; undefined where it takes none. `config` without blanks. */
export function callerVendor(code: number, { credentials }: Readonly<Record<string, unknown>>): string | undefined {
  return credentials === 'caller' || credentials === 'caller_or_own' ? vendorOf(code)?.name : undefined
}
