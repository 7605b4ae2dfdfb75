import { readBaseUrl } from '../adapters/base-url.ts'
import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { kindOf } from '../kinds/all.ts'
import type { ProviderKind } from '../kinds/kind.ts'
import { vendorOf, vendorOfKey, VENDORS } from '../kinds/vendor-hosts.ts'
import { decimal, scaledUp } from '../prices/decimal.ts'
import { credentialsOf } from './credentials-of.ts'
import type { SignedCredentials } from './credentials.ts'

export interface CallerRule {
  /** `caller_or_own`: the channel's own key is used if a request brings none. */
  readonly mode: 'caller' | 'caller_or_own'
  readonly vendor: string
  /** Factor on a group's ratio, in millionths, when the caller's key pays the provider. */
  readonly ratio: bigint
  readonly origins: readonly string[]
}

export const RATIO_RULE = /^\d{1,3}(?:\.\d{1,6})?$/

/** Undefined if a channel uses only its own keys. `extra` are origins that the environment allows in addition to the list. */
export function callerRuleOf(
  { kind, config, baseUrl }: Pick<ChannelSetup, 'kind' | 'config' | 'baseUrl'>,
  extra: readonly string[],
): CallerRule | SetupProblem | undefined {
  const { credentials: mode, caller_ratio: ratio } = config
  if (mode !== 'caller' && mode !== 'caller_or_own') return undefined
  const problem = callerHostProblem(kind, baseUrl, extra)
  const vendor = vendorOf(kind.code)
  if (problem !== undefined || vendor === undefined) return { problem: `credentials: ${problem}` }
  const factor = typeof ratio === 'string' && RATIO_RULE.test(ratio) ? decimal(ratio) : undefined
  const millionths = factor === undefined ? 0n : scaledUp(factor, 6)
  return { mode, vendor: vendor.name, ratio: millionths, origins: [...vendor.origins, ...extra] }
}

/** Why callers' keys may not be sent to a channel of this kind at this address. */
export function callerHostProblem(kind: ProviderKind, baseUrl: string, extra: readonly string[]): string | undefined {
  const vendor = vendorOf(kind.code)
  if (vendor === undefined) return 'channels of this type cannot be used with callers’ own keys'
  const base = readBaseUrl(baseUrl, kind.address.defaultBaseUrl)
  if ('problem' in base) return base.problem
  if (vendor.origins.includes(base.origin) || extra.includes(base.origin)) return undefined
  return `callers’ keys are only sent to ${vendor.name} itself: ${vendor.origins.join(', ')}`
}

/** Headers are made for each request, from the address to which it is actually sent; an origin that is not allowed gets none. */
export function callerCredentials(
  setup: Omit<ChannelSetup, 'key'>,
  { origins }: CallerRule,
  key: string,
): SignedCredentials | SetupProblem {
  // The channel's settings concern only its own key.
  const made = credentialsOf({ ...setup, key, config: {} })
  if ('problem' in made) return made
  if (made.kind !== 'fixed') return { problem: 'it is not a single word' }
  return { kind: 'signed', sign: ({ origin }) => (origins.includes(origin) ? made.headers : []) }
}

export const VENDOR_NAMES: readonly string[] = VENDORS.map(({ name }) => name)

/** Why a text cannot be a vendor's key, judging by its form: it is another vendor's, or has a form that is never sent. */
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

/** The vendor whose keys a channel of this type takes from callers, if any. `config` must have no blank members. */
export function callerVendor(code: number, { credentials }: Readonly<Record<string, unknown>>): string | undefined {
  return credentials === 'caller' || credentials === 'caller_or_own' ? vendorOf(code)?.name : undefined
}
