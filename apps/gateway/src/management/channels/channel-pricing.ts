import { brokenRule, findModelConfigsProblem } from '@sluice/contract/channel-json'
import type { Refusal } from '@sluice/contract/errors'
import type { BodyOutput, Data } from '@sluice/contract/route'
import * as routes from '@sluice/contract/routes/channels'
import type { JsonObject } from '@sluice/providers/channel-fields/json-object'
import { setChannelPricing } from '@sluice/store/queries/channels/channel-pricing'
import { type ChannelRow, findChannel } from '@sluice/store/queries/channels/channels'
import { type Binding, bind } from '../bind.ts'
import { unlessChannelOwned } from '../configuration/owned-by-file.ts'
import { invalidField } from '../issue-text.ts'
import type { SharedPorts } from '../ports.ts'
import { NOT_FOUND } from './channel-changes.ts'
import { parseConfig, publicConfig } from './channel-config.ts'

type Pricing = Data<typeof routes.getChannelPricing>
type PricingPatch = BodyOutput<typeof routes.updateChannelPricing>
type Member = PricingPatch['tooling']

/** Prices of one channel: its `model_configs`, also in the family's older form, and the tools of its config. */
export function channelPricingRoutes(deps: Pick<SharedPorts, 'database' | 'kinds'>): readonly Binding[] {
  const db = deps.database.kysely
  return [
    bind(routes.getChannelPricing, async ({ id }) => {
      const stored = await findChannel(db, id)
      return stored === undefined ? NOT_FOUND : { data: pricingOf(stored) }
    }),
    bind(routes.updateChannelPricing, ({ id, body }) =>
      unlessChannelOwned(deps.database, { id }, (trx) => writePricing(deps, trx, id, body)),
    ),
  ]
}

async function writePricing(
  deps: Pick<SharedPorts, 'kinds'>,
  trx: SharedPorts['database']['kysely'],
  id: number,
  body: PricingPatch,
): Promise<{ readonly data: Pricing } | Refusal> {
  const stored = await findChannel(trx, id)
  if (stored === undefined) return NOT_FOUND
  const modelConfigs = modelConfigsAfter(stored, body)
  if (typeof modelConfigs === 'object' && modelConfigs !== null) return modelConfigs
  const config = configAfter(stored, body)
  if (typeof config === 'string') return invalidField('tooling', config)
  const problem = problemOf(deps, stored, { modelConfigs, config })
  if (problem !== undefined) return problem
  const next = { modelConfigs, config: publicConfig(deps.kinds, config) }
  if (await setChannelPricing(trx, id, next, stored)) return { data: pricingOf({ ...stored, ...next }) }
  return { code: 'channel_changed' }
}

function pricingOf(channel: Pick<ChannelRow, 'modelConfigs' | 'config'>): Pricing {
  const configs = parseConfig(channel.modelConfigs ?? '')
  return {
    model_ratio: JSON.stringify(column(configs, 'ratio')),
    completion_ratio: JSON.stringify(column(configs, 'completion_ratio')),
    model_configs: channel.modelConfigs ?? '{}',
    tooling: JSON.stringify(parseConfig(channel.config)['tooling'] ?? {}),
  }
}

function column(configs: JsonObject, name: string): JsonObject {
  const entries = Object.entries(configs).map(([model, config]) => [model, membersOf(config)[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

function modelConfigsAfter(stored: ChannelRow, patch: PricingPatch): string | null | Refusal {
  if (patch.model_configs !== undefined) return textOf(patch.model_configs)
  let configs = parseConfig(stored.modelConfigs ?? '')
  for (const [field, name] of [
    ['model_ratio', 'ratio'],
    ['completion_ratio', 'completion_ratio'],
  ] as const) {
    const given = patch[field]
    if (given === undefined) continue
    const values = objectOf(given)
    if (values === undefined) return invalidField(field, 'Invalid JSON format')
    configs = withColumn(configs, name, values)
  }
  return Object.keys(configs).length === 0 ? null : JSON.stringify(configs)
}

/** Replaces one setting of all models; removes models left without any setting. */
function withColumn(configs: JsonObject, name: string, values: JsonObject): JsonObject {
  const models = new Set([...Object.keys(configs), ...Object.keys(values)])
  const changed = [...models].map((model) => {
    const { [name]: _old, ...others } = membersOf(configs[model])
    const value = values[model]
    return [model, value === undefined ? others : { ...others, [name]: value }] as const
  })
  return Object.fromEntries(changed.filter(([, config]) => Object.keys(config).length > 0))
}

/** The channel's config with the given tools, or the error in their form. */
function configAfter(stored: ChannelRow, patch: PricingPatch): JsonObject | string {
  const { tooling: before, ...others } = parseConfig(stored.config)
  if (patch.tooling === undefined) return before === undefined ? others : { ...others, tooling: before }
  const tooling = objectOf(patch.tooling)
  if (tooling === undefined) return 'Invalid JSON format'
  return Object.keys(tooling).length === 0 ? others : { ...others, tooling }
}

/** The rules of the channel form apply here too; a problem with a config member names the field in which it was sent. */
function problemOf(
  { kinds }: Pick<SharedPorts, 'kinds'>,
  stored: ChannelRow,
  { modelConfigs, config }: { readonly modelConfigs: string | null; readonly config: JsonObject },
): Refusal | undefined {
  const rule = modelConfigs === null ? undefined : brokenRule(findModelConfigsProblem, modelConfigs)
  if (rule !== undefined) return invalidField('model_configs', rule)
  const found = kinds
    .problems({ ...stored, modelConfigs, config, key: undefined })
    .find(({ field }) => field === 'model_configs' || field === 'config.tooling')
  return found && invalidField(found.field.replace('config.', ''), found.rule)
}

function textOf(member: Member): string | null {
  const text = typeof member === 'string' ? member : JSON.stringify(member ?? {})
  return text.trim() === '' || text === '{}' ? null : text
}

/** Null and blank texts give an empty object; undefined means that a text is not a JSON object. */
function objectOf(member: Member): JsonObject | undefined {
  if (member === null || member === undefined) return {}
  if (typeof member !== 'string') return member
  if (member.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(member)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

function membersOf(config: unknown): JsonObject {
  return typeof config === 'object' && config !== null ? { ...config } : {}
}
