import * as routes from '@sluice/contract/routes/own-sessions'
import {
  deleteOtherSessionsOf,
  deleteSessionOf,
  listSessionsOf,
  type SessionOrigin,
} from '@sluice/store/queries/accounts/sessions'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import { LIFETIME_SECONDS } from './sessions.ts'

/** Characters of its digest that identify a session. */
const KEY_LENGTH = 32

/** Lists the caller's sessions and ends them. Other users' sessions do not exist here (class S11). */
export function ownSessionRoutes(deps: Pick<SharedPorts, 'database' | 'now'>): readonly Binding[] {
  const db = deps.database.kysely

  return [
    bind(routes.listOwnSessions, async ({ caller }) => ({
      data: (await listSessionsOf(db, caller.id, Math.floor(deps.now() / 1_000))).map((origin) =>
        onWire(origin, caller.proof),
      ),
    })),

    bind(routes.endOwnSession, async ({ caller, params }) =>
      (await deleteSessionOf(db, caller.id, params.key)) ? {} : { code: 'not_found', params: { what: 'Session' } },
    ),

    bind(routes.endOtherSessions, async ({ caller }) => ({
      data: await deleteOtherSessionsOf(db, caller.id, caller.proof),
    })),
  ]
}

function onWire({ idHash, userAgent, address, created, expires }: SessionOrigin, own: string) {
  return {
    key: idHash.slice(0, KEY_LENGTH),
    current: idHash === own,
    user_agent: userAgent,
    address,
    created_time: created,
    // Use of a session postpones its end.
    last_used_time: Math.max(created, expires - LIFETIME_SECONDS),
    expires_time: expires,
  }
}
