import type { Route } from '../stages/route.ts'
import type { ChooseDeps, ModelOffer, Plannable } from './choice.ts'
import type { Chosen } from './choose.ts'
import type { Tier } from './routing-table.ts'

/**
 * The choice if there is only one lane and no reason to exclude it: most installations have one channel per model, so this path
 * must be fast. Undefined if there is something to choose or to explain.
 */
export function chooseSole(
  { health, now }: ChooseDeps,
  { identity, parsed, kind, accepted }: Plannable,
  { model, group, groupRatio, offer: { tiers, idle } }: ModelOffer,
): Chosen | undefined {
  const route = tiers.length === 1 && idle.length === 0 ? soleRoute(tiers[0]) : undefined
  if (route === undefined || parsed.picture !== undefined || parsed.steering?.isDearer === true) return undefined
  if (route.tooling !== undefined && parsed.conversation !== undefined) return undefined
  if (route.callers !== undefined || identity.callerCredential !== undefined) return undefined
  const upstreamModel = route.upstreamModel(model)
  if (route.adapter(kind.endpoint, parsed, upstreamModel) === undefined) return undefined
  const quote = route.quote(upstreamModel, accepted.received)
  const lane = route.lane(upstreamModel)
  const standing = health.standing(lane, now())
  if (quote === 'missing' || standing.kind !== 'ready' || standing.share < 1) return undefined
  const { id, name, priority, weight } = route.channel
  const only = { channel: id, channel_name: name, key: 1, keys: 1, model, priority, weight, order: 1 }
  return {
    candidates: [{ model, route, lane, upstreamModel, quote, group, groupRatio }],
    decision: { by: 'weight', lanes: [group === undefined ? only : { ...only, group }] },
    isServed: true,
    limitedUntil: undefined,
  }
}

function soleRoute(tier: Tier | undefined): Route | undefined {
  const routes = tier?.length === 1 ? tier[0]?.routes : undefined
  return routes?.length === 1 ? routes[0] : undefined
}
