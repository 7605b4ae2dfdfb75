import type { Refusal } from '@sluice/contract/errors'
import * as routes from '@sluice/contract/routes/token-pauses'
import { mq, wholeQuota } from '@sluice/ledger/units'
import { listPauses, type PauseKey, releasePause } from '@sluice/store/queries/token-pauses'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import { chargedOnWire } from '../quota-wire.ts'

export interface TokenPauseDeps extends Pick<SharedPorts, 'database' | 'now'> {
  /** This process reads the row again before the next call; other replicas do so within seconds. */
  readonly onReleased: (key: PauseKey) => void
}

const SHOWN = 100
const NOT_FOUND: Refusal = { code: 'not_found', params: { what: 'The pause' } }

/** Pauses that the rules of a user's own tokens have caused. */
export function tokenPauseRoutes({ database, now, onReleased }: TokenPauseDeps): readonly Binding[] {
  const db = database.kysely
  return [
    bind(routes.listTokenPauses, async ({ caller }) => {
      const rows = await listPauses(db, caller.id, now(), SHOWN)
      const data = rows.map(({ tokenId, tokenName, rule, subject, spent, allowance, pausedMs, untilMs }) => ({
        token_id: tokenId,
        token_name: tokenName,
        rule,
        subject,
        ...chargedOnWire(spent),
        allowance: wholeQuota(mq(allowance)),
        paused: pausedMs,
        until: untilMs,
      }))
      return { data }
    }),
    bind(routes.releaseTokenPause, async ({ caller, body: { token_id: tokenId, rule, subject } }) => {
      const released = await releasePause(db, caller.id, { tokenId, rule, subject })
      if (released === undefined) return NOT_FOUND
      onReleased(released)
      return {}
    }),
  ]
}
