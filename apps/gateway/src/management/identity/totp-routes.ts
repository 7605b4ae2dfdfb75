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
import { type Answer, bind, type Binding, type Call } from '../bind.ts'
import type { SharedPorts } from '../ports.ts'
import type { Caller } from '../sessions/caller.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { outranks, RANK_REFUSAL } from '../users/rank.ts'
import { newRecoveryCodes, recoveryHash, type SecondFactor, SIGNED_IN } from './second-factor.ts'
import { newTotpSecret, totpAddress, totpStep } from './totp.ts'

const SETUP_SECONDS = 600

export type TotpDeps = Pick<SharedPorts, 'database' | 'vault' | 'options' | 'now' | 'randomBytes'>

/**
 * The second step of sign-in: set up, confirmed with a code, disabled with one. Switching it on or off ends every other session of
 * the user. The secret is sealed even while it waits for confirmation, and shown only during setup.
 */
export function totpRoutes(deps: TotpDeps, sessions: Sessions, secondFactor: SecondFactor): readonly Binding[] {
  const db = deps.database.kysely

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

    bind(routes.totpSetup, (call) => setUp(deps, call)),
    bind(routes.totpConfirm, (call) => confirm(deps, sessions, call)),

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

    bind(routes.disableTotpOf, (call) => disableOf(deps, call)),
  ]
}

async function setUp(
  deps: TotpDeps,
  { caller }: Call<typeof routes.totpSetup>,
): Promise<Answer<typeof routes.totpSetup> | Refusal> {
  if ((await findTotp(deps.database.kysely, caller.id)) !== undefined) return { code: 'totp_already_on' }
  const secret = newTotpSecret(deps.randomBytes)
  const now = nowSeconds(deps)
  const content = deps.vault.seal('totp', secret)
  const setup = { owner: caller.proof, action: 'totp_setup', content, now, expires: now + SETUP_SECONDS } as const
  if ((await beginCeremony(deps.database.kysely, setup)) === 'full') {
    return { code: 'overloaded', params: { limit: 'TOTP setups' }, retryAfter: 60 }
  }
  return { data: { secret, qr_code: totpAddress(secret, caller.username, deps.options().SystemName) } }
}

async function confirm(
  deps: TotpDeps,
  sessions: Sessions,
  { caller, body, context }: Call<typeof routes.totpConfirm>,
): Promise<Answer<typeof routes.totpConfirm> | Refusal> {
  const secret = await pendingSecret(deps, caller)
  if (secret === undefined) return { code: 'totp_not_begun' }
  const step = totpStep(secret, body.totp_code, deps.now())
  if (step === undefined) return { code: 'totp_wrong' }
  if ((await finishCeremony(deps.database.kysely, caller.proof, 'totp_setup', nowSeconds(deps))) === undefined) {
    return { code: 'totp_not_begun' }
  }
  const codes = newRecoveryCodes(deps.randomBytes)
  const sealed = deps.vault.seal('totp', secret)
  if (!(await enableTotp(deps.database.kysely, caller.id, { sealed, step, recoveryHashes: codes.map(recoveryHash) }))) {
    return { code: 'totp_already_on' }
  }
  await sessions.renew(context, caller)
  return { message: 'TOTP enabled', data: { recovery_codes: [...codes] } }
}

/** Undefined unless the caller began a setup with this session or access token. */
async function pendingSecret(deps: TotpDeps, { proof }: Caller): Promise<string | undefined> {
  const sealed = await readCeremony(deps.database.kysely, proof, 'totp_setup', nowSeconds(deps))
  const opened = sealed === undefined ? undefined : deps.vault.open('totp', sealed)
  return opened?.ok ? opened.text : undefined
}

async function disableOf(
  deps: TotpDeps,
  { caller, id }: Call<typeof routes.disableTotpOf>,
): Promise<Answer<typeof routes.disableTotpOf> | Refusal> {
  const user = await findUser(deps.database.kysely, id)
  if (user === undefined) return { code: 'not_found', params: { what: 'User' } }
  // Users cannot use this for themselves: that needs a code.
  if (id === caller.id || !outranks(caller, user.role)) return RANK_REFUSAL
  if (!(await disableTotp(deps.database.kysely, id))) return { code: 'totp_not_on' }
  await insertLog(deps.database.kysely, {
    type: LOG_TYPE.management,
    createdAt: nowSeconds(deps),
    userId: id,
    username: user.username,
    content: `TOTP disabled, by ${caller.username} (id ${caller.id})`,
  })
  return {}
}

function nowSeconds({ now }: TotpDeps): number {
  return Math.floor(now() / 1_000)
}
