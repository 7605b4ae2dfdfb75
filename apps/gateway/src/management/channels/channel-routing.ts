import { ERRORS, isRefusal, type Refusal, refusalText } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/routing'
import type { RoutingExplanation, RoutingQuestion } from '@sluice/contract/routing'
import { findUser } from '@sluice/store/queries/accounts/users'
import { findChannel } from '@sluice/store/queries/channels/channels'
import { findTokenById, type TokenSnapshot } from '@sluice/store/snapshots/tokens'
import { type Binding, bind } from '../bind.ts'
import { invalidField } from '../issue-text.ts'
import { NOT_FOUND } from './channel-changes.ts'
import { channelHealthOf } from './channel-condition.ts'
import type { ChannelDeps, ChannelLane } from './channel-ports.ts'

/** Most lanes listed for each channel: in the list of all channels, and for a single channel. */
const LANES_OF_EACH = 5
const LANES_OF_ONE = 500

export function channelRoutingRoutes(deps: Pick<ChannelDeps, 'database' | 'now' | 'routing'>): readonly Binding[] {
  const { routing } = deps
  return [
    bind(routes.explainRouting, async ({ body }) => {
      const asker = await askerOf(deps, body)
      if (isRefusal(asker)) return asker
      const explanation = routing.explain({
        ...asker,
        model: body.model,
        path: body.path,
        pinnedChannel: body.channel,
        session: body.session === '' ? undefined : body.session,
      })
      if (explanation === undefined) return invalidField('path', 'must be an endpoint that is routed by model')
      const { decision, refusal, groups, skippedGroups } = explanation
      const data: RoutingExplanation = {
        group: asker.group,
        ...(groups === undefined ? {} : { groups: [...groups], skipped_groups: [...(skippedGroups ?? [])] }),
        ...(decision === undefined ? {} : { decision }),
        ...(refusal === undefined ? {} : { refusal: refusalOnWire(refusal) }),
      }
      return { data }
    }),
    bind(routes.listChannelHealth, async ({ query }) => {
      const chosen = routing.lanes().filter(({ channel }) => query.channel === 0 || query.channel === channel)
      const shown = query.channel === 0 ? LANES_OF_EACH : LANES_OF_ONE
      const data = [...byChannel(chosen)].map((lanes) => channelHealthOf(lanes, shown))
      return { data: data.toSorted((a, b) => a.channel - b.channel), extra: { now: deps.now() } }
    }),
    bind(routes.forgetChannelHealth, async ({ id }) => {
      if ((await findChannel(deps.database.kysely, id)) === undefined) return NOT_FOUND
      routing.forget(id)
      return {}
    }),
  ]
}

interface Asker {
  readonly group: string
  readonly token: TokenSnapshot | undefined
  readonly user: Pick<TokenSnapshot['user'], 'status' | 'role'> | undefined
}

async function askerOf(
  { database }: Pick<ChannelDeps, 'database'>,
  question: RoutingQuestion,
): Promise<Asker | Refusal> {
  const { user_id: userId, token_id: tokenId, group } = question
  if ([userId, tokenId, group].filter((each) => each !== undefined).length !== 1) {
    return invalidField('group', 'must specify exactly one user, token or group')
  }
  if (group !== undefined) return { group, token: undefined, user: undefined }
  if (tokenId !== undefined) {
    const token = await findTokenById(database.kysely, tokenId)
    return token === undefined ? missing('Token') : { group: token.user.group, token, user: token.user }
  }
  const user = await findUser(database.kysely, userId ?? 0)
  return user === undefined ? missing('User') : { group: user.group, token: undefined, user }
}

const missing = (what: string): Refusal => ({ code: 'not_found', params: { what } })

function refusalOnWire(refusal: Refusal): RoutingExplanation['refusal'] {
  return { code: refusal.code, status: ERRORS[refusal.code].status, message: refusalText(refusal) }
}

function byChannel(lanes: readonly ChannelLane[]): Iterable<readonly [ChannelLane, ...ChannelLane[]]> {
  const channels = new Map<number, [ChannelLane, ...ChannelLane[]]>()
  for (const lane of lanes) {
    const known = channels.get(lane.channel)
    if (known === undefined) channels.set(lane.channel, [lane])
    else known.push(lane)
  }
  return channels.values()
}
