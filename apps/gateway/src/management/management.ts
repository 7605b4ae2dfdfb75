import { openApiDocument } from '@sluice/contract/openapi'
import { ROUTES } from '@sluice/contract/routes/all'
import type { Hono } from 'hono'
import { networkOf } from '../edge/address-range.ts'
import { accountBindings, type AccountDeps } from './account/account-bindings.ts'
import { type AlarmDeps, alarmRoutes } from './alarms/alarms.ts'
import { type AuditDeps, auditRoutes } from './audit/audit.ts'
import { createRecorder, type RecorderDeps } from './audit/recorder.ts'
import type { Binding } from './bind.ts'
import type { ChannelDeps } from './channels/channel-ports.ts'
import { channelRoutes } from './channels/channels.ts'
import { type ConfigurationRouteDeps, configurationRoutes } from './configuration/configuration-routes.ts'
import { type DashboardDeps, dashboardRoutes } from './dashboard/dashboard.ts'
import { type DoctorDeps, doctorRoutes } from './doctor/doctor.ts'
import { createGuestRate } from './guest-rate.ts'
import { type ImportDeps, importRoutes } from './imports/imports.ts'
import { type KeyHolderDeps, keyHolderRoutes } from './key-holder/key-holder.ts'
import { type LedgerCheckDeps, ledgerRoutes } from './ledger/ledger-checks.ts'
import { type LogDeps, logRoutes } from './logs/logs.ts'
import { type RunningCallDeps, runningCallRoutes } from './logs/running-calls.ts'
import { usageSessionRoutes } from './logs/usage-sessions.ts'
import { type MessageDeps, messageRoutes } from './messages/messages.ts'
import { mount, type MountPorts } from './mount.ts'
import { type OptionDeps, optionRoutes } from './options/options.ts'
import type { SharedPorts } from './ports.ts'
import { type PublicPageDeps, publicPageRoutes } from './public-pages/public-pages.ts'
import { type ReceiptDeps, receiptRoutes } from './receipts/receipts.ts'
import { type RedemptionDeps, redemptionRoutes } from './redemptions/redemptions.ts'
import { createPasswords } from './sessions/passwords.ts'
import { createSessions } from './sessions/sessions.ts'
import { type SystemDeps, systemRoutes } from './system/system.ts'
import { adminTokenRoutes } from './tokens/admin-tokens.ts'
import { type TokenPauseDeps, tokenPauseRoutes } from './tokens/token-pauses.ts'
import { type TokenDeps, tokenRoutes } from './tokens/tokens.ts'
import type { UserDeps } from './users/create-user.ts'
import { userRoutes } from './users/users.ts'

/** The sum of what the areas of the management API declare, wired by `main.ts`. */
export type ManagementDeps = AccountDeps &
  UserDeps &
  TokenDeps &
  TokenPauseDeps &
  KeyHolderDeps &
  RedemptionDeps &
  ChannelDeps &
  LogDeps &
  RunningCallDeps &
  LedgerCheckDeps &
  ReceiptDeps &
  DashboardDeps &
  MessageDeps &
  AlarmDeps &
  AuditDeps &
  ImportDeps &
  DoctorDeps &
  ConfigurationRouteDeps &
  PublicPageDeps &
  OptionDeps &
  SystemDeps &
  RecorderDeps &
  Pick<SharedPorts, 'versions'> & {
    /** Requests per minute from one network to calls that need no account; 0 for no limit. */
    readonly publicRateLimit: number
    /** The owner of a request's API key, by the relay's rules. A token without quota is accepted: it can still read and settle. */
    readonly holderOfKey: MountPorts['holderOfKey']
  }

/** Every route of the contract under `/api`, and the OpenAPI document. Throws when a route of the contract has no handler. */
export function createManagement(deps: ManagementDeps): Hono {
  const sessions = createSessions(deps)
  const passwords = createPasswords(deps.randomBytes)
  const bindings = [
    ...accountBindings(deps, sessions, passwords),
    ...userRoutes(deps, sessions, passwords),
    ...tokenRoutes(deps),
    ...tokenPauseRoutes(deps),
    ...adminTokenRoutes(deps),
    ...keyHolderRoutes(deps),
    ...redemptionRoutes(deps),
    ...channelRoutes(deps),
    ...logRoutes(deps),
    ...runningCallRoutes(deps),
    ...usageSessionRoutes(deps),
    ...ledgerRoutes(deps),
    ...receiptRoutes(deps),
    ...dashboardRoutes(deps),
    ...messageRoutes(deps),
    ...alarmRoutes(deps),
    ...auditRoutes(deps),
    ...importRoutes(deps),
    ...doctorRoutes(deps),
    ...configurationRoutes(deps),
    ...publicPageRoutes(deps),
    ...optionRoutes(deps),
    ...systemRoutes(deps),
  ]
  requireAll(bindings)
  const document = openApiDocument(ROUTES, deps.version)
  return mount(bindings, {
    identify: sessions.identify,
    holderOfKey: deps.holderOfKey,
    record: createRecorder(deps),
    network: (context) => networkOf(deps.clientAddress(context)),
    guests: createGuestRate({ limit: deps.publicRateLimit, now: deps.now }),
    serverAddress: () => deps.options().ServerAddress,
    // A committed change is final; if this check fails, the next one catches up.
    settled: () => deps.versions.check().catch(() => {}),
    report: deps.report,
    document,
  })
}

function requireAll(bindings: readonly Binding[]): void {
  const missing = ROUTES.filter(({ spec }) => !bindings.some((binding) => binding.spec === spec))
  if (missing.length > 0) throw new Error(`routes without code: ${missing.map((route) => route.name).join(', ')}`)
}
