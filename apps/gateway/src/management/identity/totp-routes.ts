import type { Refusal } from '@sluice/contract/errors'
import { LOG_TYPE } from '@sluice/contract/log'
import * as routes from '@sluice/contract/routes/totp'
import { beginCeremony, finishCeremony, readCeremony } from '@sluice/store/queries/accounts/ceremonies'
import {
  countRecoveryCodes,
  disableTotp,
  enableTotp,
  findTotp,
  replaceRecoveryCodes,
} from '@sluice/store/queries/accounts/totp'
import { findUser } from '@sluice/store/queries/accounts/users'
import { insertLog } from '@sluice/store/queries/logs/logs'
import { type Binding, bind } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { outranks, RANK_REFUSAL } from '../users/rank.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-codes.ts'
import { type SecondFactor, SIGNED_IN } from './second-factor.ts'
import { newTotpSecret, totpAddress, totpStep } from './totp.ts'

const SETUP_SECONDS = 600

export type TotpDeps = Pick<SharedPorts, 'database' | 'vault' | 'options' | 'now' | 'randomBytes'>

/**
 * The second step of sign-in: set up, confirmed with a code, disabled with one. Switching it on or off ends every other session of
 * the user. The secret is sealed, even while it waits to be confirmed, and is shown only during the setup.
 */
export function totpRoutes(deps: TotpDeps, sessions: Sessions, secondFactor: SecondFactor): readonly Binding[] {
  const db = deps.database.kysely
  const nowSeconds = (): number => Math.floor(deps.now() / 1_000)

  /** Undefined unless the caller began a setup with this very session or access token. */
  const pendingSecret = async ({ proof }: Caller): Promise<string | undefined> => {
    const sealed = await readCeremony(db, proof, 'totp_setup', nowSeconds())
    const opened = sealed === undefined ? undefined : deps.vault.open('totp', sealed)
    return opened?.ok ? opened.text : undefined
  }

  /** Undefined when TOTP is on and the code is right. */
  const proved = async (caller: Caller, code: string): Promise<Refusal | undefined> =>
    (await findTotp(db, caller.id)) === undefined
      ? { code: 'totp_not_on' }
      : await secondFactor.check(caller.id, code, SIGNED_IN)

  return [
    bind(routes.totpStatus, async ({ caller }) => ({
      data: {
        totp_enabled: (await findTotp(db, caller.id)) !== undefined,
        recovery_codes_left: await countRecoveryCodes(db, caller.id),
      },
    })),

    bind(routes.totpSetup, async ({ caller }) => {
      if ((await findTotp(db, caller.id)) !== undefined) return { code: 'totp_already_on' }
      const secret = newTotpSecret(deps.randomBytes)
      const now = nowSeconds()
      const content = deps.vault.seal('totp', secret)
      const setup = { owner: caller.proof, action: 'totp_setup', content, now, expires: now + SETUP_SECONDS } as const
      if ((await beginCeremony(db, setup)) === 'full') {
        return { code: 'overloaded', params: { limit: 'TOTP setups' }, retryAfter: 60 }
      }
      return { data: { secret, qr_code: totpAddress(secret, caller.username, deps.options().SystemName) } }
    }),

    bind(routes.totpConfirm, async ({ caller, body, context }) => {
      const secret = await pendingSecret(caller)
      if (secret === undefined) return { code: 'totp_not_begun' }
      const step = totpStep(secret, body.totp_code, deps.now())
      if (step === undefined) return { code: 'totp_wrong' }
      if ((await finishCeremony(db, caller.proof, 'totp_setup', nowSeconds())) === undefined) {
        return { code: 'totp_not_begun' }
      }
      const codes = newRecoveryCodes(deps.randomBytes)
      const sealed = deps.vault.seal('totp', secret)
      if (!(await enableTotp(db, caller.id, { sealed, step, recoveryHashes: codes.map(recoveryHash) }))) {
        return { code: 'totp_already_on' }
      }
      await sessions.renew(context, caller)
      return { message: 'TOTP enabled', data: { recovery_codes: [...codes] } }
    }),

    bind(routes.totpDisable, async ({ caller, body, context }) => {
      const refusal = await proved(caller, body.totp_code)
      if (refusal !== undefined) return refusal
      if (!(await disableTotp(db, caller.id))) return { code: 'totp_not_on' }
      await sessions.renew(context, caller)
      return { message: 'TOTP disabled' }
    }),

    bind(routes.renewRecoveryCodes, async ({ caller, body }) => {
      const refusal = await proved(caller, body.totp_code)
      if (refusal !== undefined) return refusal
      const codes = newRecoveryCodes(deps.randomBytes)
      await replaceRecoveryCodes(db, caller.id, codes.map(recoveryHash))
      return { data: { recovery_codes: [...codes] } }
    }),

    bind(routes.disableTotpOf, async ({ caller, id }) => {
      const user = await findUser(db, id)
      if (user === undefined) return { code: 'not_found', params: { what: 'User' } }
      // Not one's own either: that needs a code.
      if (id === caller.id || !outranks(caller, user.role)) return RANK_REFUSAL
      if (!(await disableTotp(db, id))) return { code: 'totp_not_on' }
      await insertLog(db, {
        type: LOG_TYPE.management,
        createdAt: nowSeconds(),
        userId: id,
        username: user.username,
        content: `TOTP disabled, by ${caller.username} (id ${caller.id})`,
      })
      return {}
    }),
  ]
}
