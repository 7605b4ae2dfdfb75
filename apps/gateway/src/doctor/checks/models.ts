import type { Found } from '@sluice/contract/findings/catalogue'
import { mapModel, parseModelMapping } from '@sluice/providers/model-mapping'
import { retirementOf } from '@sluice/providers/prices/book'
import type { ModelConfigs } from '@sluice/providers/prices/model-config'
import { parseModelConfigs } from '@sluice/providers/prices/model-configs'
import { modelPrice } from '@sluice/providers/prices/rates'
import type { Options } from '@sluice/store/options/options'
import type { ChannelSnapshot } from '@sluice/store/snapshots/channels'
import { CHANNEL_STATUS } from '@sluice/store/statuses'
import { type Check, orWell } from '../check.ts'
import { namesText } from '../in-words.ts'

export interface ModelFacts {
  readonly channels: () => Promise<readonly ChannelSnapshot[]>
  /** Charged requests since a day (counted from 1970-01-01 UTC), by `<channel> <model>`. */
  readonly requestsSince: (day: number) => Promise<ReadonlyMap<string, number>>
  readonly options: () => Options
  readonly overrides: () => ModelConfigs
  readonly openAlarms: () => Promise<number>
  /** Unix milliseconds. */
  readonly now: () => number
}

const DAY_MS = 86_400_000
/** Vendors announce the day months ahead; nobody acts earlier than this. */
const NOTICE_DAYS = 60
const TRAFFIC_DAYS = 7

/** Finds enabled channels' models that have no price or that their vendors retire. */
export function modelCheck(facts: ModelFacts): Check {
  const { now } = facts
  return {
    name: 'models',
    examine: async () => {
      const today = Math.floor(now() / DAY_MS)
      const [all, requests, alarms] = await Promise.all([
        facts.channels(),
        facts.requestsSince(today - TRAFFIC_DAYS + 1),
        facts.openAlarms(),
      ])
      const unpriced = facts.options().UnpricedModelPolicy === 'refuse' ? 'models.unpriced' : 'models.unpriced_charged'
      const found = all
        .filter(({ status }) => status === CHANNEL_STATUS.enabled)
        .flatMap((channel) => [
          ...unpricedOf(channel, facts.overrides(), unpriced),
          ...endingOf(channel, requests, now()),
        ])
      if (alarms > 0) found.push({ id: 'models.alarms', params: { count: alarms } })
      return orWell(found, { id: 'models.ok', params: { days: NOTICE_DAYS } })
    },
  }
}

/** Another check reports channels with unreadable settings. */
function unpricedOf(
  { id: channel, name, type, models, ...texts }: ChannelSnapshot,
  overrides: ModelConfigs,
  id: 'models.unpriced' | 'models.unpriced_charged',
): readonly Found[] {
  const configs = parseModelConfigs(texts.modelConfigs)
  const mapping = parseModelMapping(texts.modelMapping)
  if ('problem' in configs || 'problem' in mapping) return []
  const without = models.filter((model) => modelPrice(type, mapModel(mapping, model), configs, overrides) === 'missing')
  if (without.length === 0) return []
  return [{ id, subject: name, params: { channel, count: without.length, models: namesText(without) } }]
}

function endingOf(
  { id: channel, name, type, models, modelMapping }: ChannelSnapshot,
  requests: ReadonlyMap<string, number>,
  now: number,
): readonly Found[] {
  const mapping = parseModelMapping(modelMapping)
  if ('problem' in mapping) return []
  return models.flatMap((model): readonly Found[] => {
    // Includes days that have passed.
    const until = retirementOf(type, mapModel(mapping, model), 0)
    const left = until === undefined ? Infinity : Date.parse(until) - now
    if (until === undefined || left > NOTICE_DAYS * DAY_MS) return []
    const params = { channel, model, until }
    if (left <= 0) return [{ id: 'models.ended', subject: name, params }]
    const used = requests.get(`${channel} ${model}`) ?? 0
    return used === 0
      ? [{ id: 'models.ending_unused', subject: name, params }]
      : [{ id: 'models.ending', subject: name, params: { ...params, requests: used } }]
  })
}
