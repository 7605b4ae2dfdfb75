import type { AlarmEvent } from '@sluice/observe/alarm-recorder'
import { retirementOf } from '@sluice/providers/prices/book'

const DAY_MS = 86_400_000
/** Vendors announce earlier than this; a model still in use by then should raise an alarm. */
const NOTICE_DAYS = 30
/** Models whose end date is cached for a day; others are looked up at each charge. */
const CAPACITY = 10_000

/** The charged model, by its name at the provider, and the type of its channel. */
export interface ChargedModel {
  readonly channel: number
  readonly type: number
  readonly model: string
}

/** Raises an alarm for every model in use that its vendor retires within 30 days. `now` in unix ms. Returns at once. */
export function createEndingModelWatch(
  raise: (event: AlarmEvent) => void,
  now: () => number,
): (charged: ChargedModel) => void {
  let day = 0
  let known = new Map<string, string | undefined>()
  return ({ channel, type, model }) => {
    const at = now()
    const today = Math.floor(at / DAY_MS)
    if (today !== day) {
      day = today
      known = new Map()
    }
    const key = `${type}:${model}`
    const isKnown = known.has(key)
    const ends = isKnown ? known.get(key) : endOf(type, model, at)
    if (!isKnown && known.size < CAPACITY) known.set(key, ends)
    if (ends !== undefined) raise({ kind: 'ending_model', subject: `${model}: ${ends}`, channelId: channel })
  }
}

function endOf(type: number, model: string, at: number): string | undefined {
  const day = retirementOf(type, model, at)
  return day !== undefined && Date.parse(day) - at <= NOTICE_DAYS * DAY_MS ? day : undefined
}
