import type { Identity, OwnKey } from '../stages/identity.ts'
import type { ModelOffer } from './choice.ts'

/**
 * Whose keys an offer's channels are called with. `sent`: with the key sent in the request, or the channels' own · `own`: with the
 * user's stored keys, before others · `own_only`: only with those · `platform`: with the channels' own, after the user's
 */
export type KeyUse = 'sent' | 'own' | 'own_only' | 'platform'

/** One pass over the channels for a model in a group. */
export interface Turn {
  readonly offer: ModelOffer
  readonly use: KeyUse
}

export interface Turns {
  readonly list: readonly Turn[]
  /** Vendors whose user keys prevent the use of the platform's channels for this request; empty if there are none. */
  readonly keptOffBy: readonly string[]
}

type Keys = Pick<Identity, 'ownKeys' | 'pinnedKey'>

/**
 * Puts the user's own keys before the platform's, model by model. If one of them may not fall back, the platform does not serve
 * that model, and nothing at all if it is the requested one: users must not pay the platform for calls that they meant to pay a
 * vendor for.
 */
export function turnsOf({ ownKeys, pinnedKey }: Keys, offers: readonly ModelOffer[]): Turns {
  if (ownKeys === undefined) return { list: offers.map(asSent), keptOffBy: [] }
  const list: Turn[] = []
  let keptOffBy: readonly string[] = []
  const byModel = Map.groupBy(offers, ({ model }) => model)
  for (const [at, same] of [...byModel.values()].entries()) {
    const mine = [...new Set(same.flatMap(({ offer }) => offer.vendors))].flatMap((vendor) => {
      const key = ownKeys.get(vendor)
      return key === undefined ? [] : [{ vendor, ...key }]
    })
    const strict = mine.filter(({ fallsBack }) => !fallsBack).map(({ vendor }) => vendor)
    if (at === 0) keptOffBy = strict
    const isKeptOff = keptOffBy.length > 0 || strict.length > 0
    const { byOwn, byPlatform } = reachOf(mine, pinnedKey, same)
    if (mine.length > 0 && byOwn) {
      const use = isKeptOff || !byPlatform ? 'own_only' : 'own'
      list.push(...same.map((offer): Turn => ({ offer, use })))
    }
    if (!isKeptOff && byPlatform) {
      list.push(...same.map((offer): Turn => ({ offer, use: mine.length > 0 ? 'platform' : 'sent' })))
    }
  }
  return { list, keptOffBy }
}

const asSent = (offer: ModelOffer): Turn => ({ offer, use: 'sent' })

/** Whose keys can reach the stored objects that a request refers to: only the key that created them. */
function reachOf(mine: readonly OwnKey[], pinnedKey: string | undefined, offers: readonly ModelOffer[]) {
  if (pinnedKey === undefined) return { byOwn: true, byPlatform: true }
  const byOwn = mine.some(({ credential }) => credential?.fingerprint === pinnedKey)
  const channels = offers.flatMap(({ offer }) => offer.tiers.flat())
  const isPlatforms = channels.some(({ fingerprints }) => fingerprints.includes(pinnedKey))
  return { byOwn: byOwn || !isPlatforms, byPlatform: !byOwn }
}
