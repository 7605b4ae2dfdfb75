import { can } from '@sluice/contract/capability'
import { isRefusal, type Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/running-calls'
import { USER_STATUS } from '@sluice/contract/user'
import { mq } from '@sluice/ledger/units'
import type { RunningCall, RunningCalls } from '@sluice/observe/running-call'
import { findSession } from '@sluice/store/queries/accounts/sessions'
import type { Context } from 'hono'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import { chargedOnWire } from '../quota-wire.ts'
import { identifyByToken } from '../sessions/access-token.ts'
import type { Caller } from '../sessions/caller.ts'
import type { RunningFeed } from './running-feed.ts'

export interface RunningCallDeps extends Pick<SharedPorts, 'database' | 'now'> {
  readonly running: { readonly calls: RunningCalls; readonly feed: RunningFeed }
}

const NO_SUCH_CALL: Refusal = { code: 'not_found', params: { what: 'The call' } }
const TOO_MANY: Refusal = { code: 'overloaded', params: { limit: 'listeners' }, retryAfter: 5 }

export function runningCallRoutes(deps: RunningCallDeps): readonly Binding[] {
  const { calls, feed } = deps.running

  const show = (caller: Caller) => {
    const showChannel = can(caller.role, 'logs.all')
    return (list: readonly RunningCall[]) => list.map((call) => onWire(call, showChannel))
  }
  const list = async (caller: Caller, scope: number | undefined, context: Context) => {
    if (!wantsEvents(context)) return { data: show(caller)(await calls.list(scope)), extra: { now: deps.now() } }
    const isWelcome = () => isStillSignedIn(deps, caller, context)
    const events = feed.listen({ userId: caller.id, scope, show: show(caller), isWelcome })
    return events === undefined ? TOO_MANY : { data: [], extra: { now: deps.now() }, events }
  }
  // Another user's call gets the same answer as one that is not running (class S11).
  const stop = async (id: string, scope: number | undefined) => ((await calls.stop(id, scope)) ? {} : NO_SUCH_CALL)

  return [
    bind(routes.listRunningCalls, ({ caller, context }) => list(caller, undefined, context)),
    bind(routes.listOwnRunningCalls, ({ caller, context }) => list(caller, caller.id, context)),
    bind(routes.stopRunningCall, ({ body }) => stop(body.request_id, undefined)),
    bind(routes.stopOwnRunningCall, ({ caller, body }) => stop(body.request_id, caller.id)),
  ]
}

function wantsEvents(context: Context): boolean {
  return context.req.header('accept')?.includes('text/event-stream') === true
}

/** A stream outlives the check of its request: a listener who was signed out, disabled or demoted must see nothing more. */
async function isStillSignedIn(
  { database, now }: Pick<SharedPorts, 'database' | 'now'>,
  caller: Caller,
  context: Context,
): Promise<boolean> {
  if (caller.via === 'session') {
    const session = await findSession(database.kysely, caller.proof, Math.floor(now() / 1_000))
    return session?.status === USER_STATUS.enabled && session.role >= caller.role
  }
  const known = await identifyByToken(database, context.req.header('authorization') ?? '')
  return !isRefusal(known) && known.id === caller.id && known.role >= caller.role
}

function onWire(call: RunningCall, showChannel: boolean): routes.RunningCallOnWire {
  return {
    request_id: call.id,
    user_id: call.userId,
    username: call.username,
    token_name: call.tokenName,
    model_name: call.model,
    channel: showChannel ? call.channel : 0,
    channel_name: showChannel ? call.channelName : '',
    stage: call.stage,
    is_stream: call.isStream,
    started: call.started,
    tokens: call.tokens,
    ...chargedOnWire(mq(BigInt(call.amount))),
    session: call.session,
  }
}
