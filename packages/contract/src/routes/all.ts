import type { RouteSpec } from '../route.ts'
import * as account from './account.ts'
import * as adminTokens from './admin-tokens.ts'
import * as alarms from './alarms.ts'
import * as audit from './audit.ts'
import * as channels from './channels.ts'
import * as configuration from './configuration.ts'
import * as dashboard from './dashboard.ts'
import * as doctor from './doctor.ts'
import * as imports from './imports.ts'
import * as keyHolder from './key-holder.ts'
import * as ledger from './ledger.ts'
import * as logs from './logs.ts'
import * as messages from './messages.ts'
import * as options from './options.ts'
import * as ownKeys from './own-keys.ts'
import * as ownSessions from './own-sessions.ts'
import * as passkeys from './passkeys.ts'
import * as providers from './providers.ts'
import * as publicPages from './public.ts'
import * as receipts from './receipts.ts'
import * as redemptions from './redemptions.ts'
import * as registration from './registration.ts'
import * as routing from './routing.ts'
import * as runningCalls from './running-calls.ts'
import * as session from './session.ts'
import * as system from './system.ts'
import * as tokenPauses from './token-pauses.ts'
import * as tokens from './tokens.ts'
import * as totp from './totp.ts'
import * as usageSessions from './usage-sessions.ts'
import * as users from './users.ts'

export interface NamedRoute {
  readonly name: string
  readonly resource: string
  readonly spec: RouteSpec
}

const RESOURCES = {
  session,
  registration,
  account,
  ownKeys,
  ownSessions,
  totp,
  passkeys,
  dashboard,
  tokens,
  tokenPauses,
  adminTokens,
  keyHolder,
  providers,
  logs,
  runningCalls,
  usageSessions,
  ledger,
  receipts,
  channels,
  routing,
  users,
  redemptions,
  messages,
  alarms,
  audit,
  imports,
  doctor,
  configuration,
  publicPages,
  system,
  options,
}

/** All management calls. The server refuses to start when one has no handler. */
export const ROUTES: readonly NamedRoute[] = Object.entries(RESOURCES).flatMap(([resource, exports]) =>
  Object.entries(exports).flatMap(([name, value]) => (isRoute(value) ? [{ name, resource, spec: value }] : [])),
)

function isRoute(value: object): value is RouteSpec {
  return 'method' in value && 'path' in value && 'access' in value
}
