import { isRefusal, type Refusal } from '@sluice/contract/errors'
import type { RoutingDecision } from '@sluice/contract/routing'
import type { LaneView } from '@sluice/routing/health'
import { barredOf } from '@sluice/store/options/usable-groups'
import type { TokenSnapshot } from '@sluice/store/snapshots/tokens'
import { ruleBroken, userRuleBroken } from '../caller/authenticate.ts'
import { type OpenOwnKey, ownKeysOf } from '../caller/own-keys.ts'
import { noGroupLeft, servedGroups } from '../caller/served-groups.ts'
import type { CallKind } from '../calls/calls.ts'
import { endpointOf } from '../endpoints/endpoints.ts'
import { CALLERS_KEY } from '../stages/route.ts'
import type { Plannable } from './choice.ts'
import { look, type PlanDeps } from './plan.ts'
import type { RoutingTable } from './routing-table.ts'

/** A request that is not sent. */
export interface ThoughtOfRequest {
  readonly model: string
  readonly path: string
  readonly group: string
  /** The token whose rules apply in addition to the group's; undefined for none. */
  readonly token: TokenSnapshot | undefined
  /** The user whose rules apply if there is no token; undefined for none. */
  readonly user: Pick<TokenSnapshot['user'], 'status' | 'role'> | undefined
  readonly pinnedChannel: number | undefined
  /** The name of the conversation; undefined for none. */
  readonly session: string | undefined
}

/** Undefined for a path that exists but is not routed by model, so there is nothing to explain. */
export type Explanation =
  | {
      readonly decision: RoutingDecision | undefined
      readonly refusal: Refusal | undefined
      /** The groups that it is routed by, and the token's groups that its owner cannot use; absent if the token has none. */
      readonly groups?: readonly string[]
      readonly skippedGroups?: readonly string[]
    }
  | undefined

export interface ExplainDeps extends PlanDeps {
  readonly openOwnKey: OpenOwnKey
}

/** Plans a request as `plan` would right now. Nothing is sent, counted or reported. */
export function explain(deps: ExplainDeps, thought: ThoughtOfRequest): Explanation {
  const { model, path, group, token, user, pinnedChannel, session } = thought
  const endpoint = endpointOf('POST', path)
  if (isRefusal(endpoint)) return { decision: undefined, refusal: endpoint }
  if (endpoint.kind !== 'call') return undefined
  const broken =
    token === undefined
      ? user && userRuleBroken(user, pinnedChannel)
      : ruleBroken(deps.now(), { snapshot: token, subnet: undefined }, { client: '', pinnedChannel })
  if (broken !== undefined) return { decision: undefined, refusal: broken }
  const named = token?.token.groups ?? []
  const groups = servedGroups(deps.options().Groups, group, named)
  const told = groups && { groups, skippedGroups: barredOf(deps.options().Groups, group, named) }
  if (groups?.length === 0) return { decision: undefined, refusal: noGroupLeft(named), ...told }
  const models = token === undefined || token.token.models.length === 0 ? undefined : new Set(token.token.models)
  if (models?.has(model) === false) {
    return { decision: undefined, refusal: { code: 'model_not_allowed', params: { model }, field: 'model' }, ...told }
  }
  const request: Plannable = {
    identity: {
      group,
      groups,
      models,
      pinnedChannel,
      tokenId: token?.token.id ?? 0,
      ownKeys: token && ownKeysOf(token, deps.openOwnKey),
    },
    accepted: { received: deps.now(), headers: session === undefined ? {} : { 'x-session-id': session } },
    parsed: parsedCallOf(endpoint.call, model, endpoint.facts),
    kind: endpoint.call,
  }
  const { chosen, refusal } = look({ ...deps, onUnpriced: () => {} }, request)
  return { decision: chosen?.decision, refusal, ...told }
}

/** Contains the required members of every JSON call; each kind reads its own. */
const BODY = {
  messages: [{ role: 'user', content: '?' }],
  contents: [{ role: 'user', parts: [{ text: '?' }] }],
  content: { parts: [{ text: '?' }] },
  requests: [{ content: { parts: [{ text: '?' }] } }],
  input: '?',
  prompt: '?',
  query: '?',
  documents: ['?'],
  voice: 'alloy',
  max_tokens: 1,
}

function parsedCallOf(call: CallKind, model: string, facts: Parameters<CallKind['read']>[2]): Plannable['parsed'] {
  const plain = { model, path: call.path, conversation: undefined }
  if (call.body === 'form') return plain
  const parsed = call.read(Buffer.from(JSON.stringify({ ...BODY, model })), undefined, { ...facts, model }, {})
  if (isRefusal(parsed) || 'field' in parsed) throw new Error(`the sample body does not fit ${call.path}`)
  return { model, path: parsed.path, conversation: parsed.conversation }
}

export interface NamedLane extends LaneView {
  readonly channelName: string
  /** Position of its key, from 1; this and `of` are 0 for the lane shared by callers with their own keys. */
  readonly position: number
  readonly of: number
}

/** The lanes whose channel and key still exist and are enabled, and those of callers' own keys if a channel accepts them. */
export function namedLanes(routing: RoutingTable, views: readonly LaneView[]): readonly NamedLane[] {
  return [...Map.groupBy(views, ({ channel }) => channel)].flatMap(([channel, lanes]) => {
    const found = routing.channel(channel)
    // Looked up once for each channel: a channel can have a thousand keys, each with a lane for every model.
    const places = new Map<string, Pick<NamedLane, 'position' | 'of'>>(
      found?.routes?.map(({ key }) => [key.fingerprint, key]),
    )
    if (found?.routes?.[0]?.callers !== undefined) places.set(CALLERS_KEY, NO_PLACE)
    return lanes.flatMap((view) => {
      const key = places.get(view.key)
      if (found === undefined || key === undefined) return []
      return [{ ...view, channelName: found.snapshot.name, position: key.position, of: key.of }]
    })
  })
}

const NO_PLACE = { position: 0, of: 0 } as const
