import type { ImportFamily } from '@sluice/contract/import'
import type { ForeignRow } from '@sluice/store/foreign/foreign-database'
import { Fields, objectIn } from './fields.ts'
import type { FieldProblem } from './fields.ts'

export interface SourceSetting {
  readonly source: string
  readonly key: string
  readonly value: string
}

/** Prices by model: a ratio of 1 is one quota point per token, or 2 US dollars per million at 500,000 points per dollar. */
export interface SourceRatios {
  readonly modelRatio: ReadonlyMap<string, number>
  readonly completionRatio: ReadonlyMap<string, number>
  readonly cacheRatio: ReadonlyMap<string, number>
  readonly createCacheRatio: ReadonlyMap<string, number>
  /** US dollars per call. */
  readonly modelPrice: ReadonlyMap<string, number>
}

export interface SourceSettings {
  readonly settings: readonly SourceSetting[]
  readonly ratios: SourceRatios
  /** Faults in the ratios of groups, including those of a group for users of another group. */
  readonly faults: readonly (FieldProblem & { readonly key: string })[]
}

export const SETTINGS_MAX = 5_000
const VALUE_MAX = 2_000_000
const MODEL_MAX = 255

const RENAMED: Readonly<Record<string, string>> = {
  'oidc.enabled': 'OidcEnabled',
  'oidc.client_id': 'OidcClientId',
  'oidc.client_secret': 'OidcClientSecret',
  'oidc.well_known': 'OidcWellKnown',
  'oidc.authorization_endpoint': 'OidcAuthorizationEndpoint',
  'oidc.token_endpoint': 'OidcTokenEndpoint',
  'oidc.user_info_endpoint': 'OidcUserinfoEndpoint',
  'group_ratio_setting.group_ratio': 'GroupRatio',
  'group_ratio_setting.group_group_ratio': 'GroupGroupRatio',
  ChannelDisableThreshold: 'ChannelDisableSeconds',
}

const RATIOS = {
  ModelRatio: 'modelRatio',
  CompletionRatio: 'completionRatio',
  CacheRatio: 'cacheRatio',
  CreateCacheRatio: 'createCacheRatio',
  ModelPrice: 'modelPrice',
} as const satisfies Readonly<Record<string, keyof SourceRatios>>

/** Counters and states of the programs, and settings that were replaced by a newer name. */
const IGNORED: ReadonlySet<string> = new Set(['AvailableGroups'])

/** Laisky ignores ratios that One API may have left there. */
export function takeSettings(family: ImportFamily, rows: readonly ForeignRow[]): SourceSettings {
  const ratios = new Map<keyof SourceRatios, ReadonlyMap<string, number>>()
  const settings: SourceSetting[] = []
  const faults: (FieldProblem & { readonly key: string })[] = []
  const values = new Map<string, string>()
  for (const row of rows) {
    const fields = new Fields(row)
    const name = fields.required('key', 200)
    const value = fields.text('value', VALUE_MAX)
    if (fields.fault !== undefined) faults.push({ key: name.slice(0, 60), ...fields.fault })
    else if (!IGNORED.has(name)) values.set(name, value)
  }
  for (const [name, value] of values) {
    if (family === 'sluice') {
      settings.push({ source: name, key: name, value })
      continue
    }
    if (isRatios(name)) {
      if (family === 'laisky') continue
      const read = ratiosIn(value)
      if (read === undefined)
        faults.push({ key: name, field: 'value', problem: 'is not a JSON object from model to number' })
      else ratios.set(RATIOS[name], read)
      continue
    }
    settings.push({
      source: name,
      key: Object.hasOwn(RENAMED, name) ? (RENAMED[name] ?? name) : name,
      value: valueHere(name, value, values),
    })
  }
  const none: ReadonlyMap<string, number> = new Map()
  return {
    settings,
    ratios: {
      modelRatio: ratios.get('modelRatio') ?? none,
      completionRatio: ratios.get('completionRatio') ?? none,
      cacheRatio: ratios.get('cacheRatio') ?? none,
      createCacheRatio: ratios.get('createCacheRatio') ?? none,
      modelPrice: ratios.get('modelPrice') ?? none,
    },
    faults,
  }
}

function isRatios(name: string): name is keyof typeof RATIOS {
  return Object.hasOwn(RATIOS, name)
}

function valueHere(name: string, value: string, all: ReadonlyMap<string, string>): string {
  switch (name) {
    case 'SMTPServer': {
      const isTls = all.get('SMTPSSLEnabled') === 'true' || all.get('SMTPPort') === '465'
      return isTls && value !== '' && !value.includes('://') ? `smtps://${value}` : value
    }
    case 'SMTPFrom':
      return value === '' ? (all.get('SMTPAccount') ?? '') : value
    case 'QuotaPerUnit':
      return plainNumber(value)
    case 'ChannelDisableThreshold':
      return plainNumber(value)
    default:
      return value
  }
}

/** `500000.000000` and `5e+05` as decimal text. */
function plainNumber(value: string): string {
  const number = Number(value)
  return value.trim() !== '' && Number.isFinite(number) ? String(number) : value
}

function ratiosIn(text: string): ReadonlyMap<string, number> | undefined {
  const object = text.trim() === '' ? {} : objectIn(text)
  if (object === undefined) return undefined
  const entries = Object.entries(object)
  const usable = entries.filter(
    (entry): entry is [string, number] =>
      entry[0] !== '' &&
      entry[0].length <= MODEL_MAX &&
      typeof entry[1] === 'number' &&
      entry[1] >= 0 &&
      entry[1] < 1e9,
  )
  return usable.length === entries.length ? new Map(usable) : undefined
}
