import { openApiDocument } from '@sluice/contract/openapi'
import { ROUTES } from '@sluice/contract/routes/all'
import type { Hono } from 'hono'
import { networkOf } from '../client-network.ts'
import { accountBindings } from './account/account-bindings.ts'
import { alarmRoutes } from './alarms/alarms.ts'
import { auditRoutes } from './audit/audit.ts'
import { createRecorder } from './audit/recorder.ts'
import type { Binding } from './bind.ts'
import { channelRoutes } from './channels/channels.ts'
import { dashboardRoutes } from './dashboard/dashboard.ts'
import { keyHolderRoutes } from './key-holder/key-holder.ts'
import { ledgerRoutes } from './ledger/ledger-checks.ts'
import { logRoutes } from './logs/logs.ts'
import { messageRoutes } from './messages/messages.ts'
import { mount } from './mount.ts'
import { optionRoutes } from './options/options.ts'
import type { ManagementDeps } from './ports.ts'
import { publicPageRoutes } from './public-pages/public-pages.ts'
import { receiptRoutes } from './receipts/receipts.ts'
import { redemptionRoutes } from './redemptions/redemptions.ts'
import { createPasswords } from './sessions/passwords.ts'
import { createSessions } from './sessions/sessions.ts'
import { systemRoutes } from './system/system.ts'
import { adminTokenRoutes } from './tokens/admin-tokens.ts'
import { tokenRoutes } from './tokens/tokens.ts'
import { userRoutes } from './users/users.ts'

/**
 * The management API under `/api`: every route of the contract, the OpenAPI document at `/api/openapi.json`, and a refusal
 * for everything else. Throws when a route of the contract has no code behind it.
 */
export function createManagement(deps: ManagementDeps): Hono {
  const sessions = createSessions(deps)
  const passwords = createPasswords(deps.randomBytes)
  const bindings = [
    ...accountBindings(deps, sessions, passwords),
    ...userRoutes(deps, sessions, passwords),
    ...tokenRoutes(deps),
    ...adminTokenRoutes(deps),
    ...keyHolderRoutes(deps),
    ...redemptionRoutes(deps),
    ...channelRoutes(deps),
    ...logRoutes(deps),
    ...ledgerRoutes(deps),
    ...receiptRoutes(deps),
    ...dashboardRoutes(deps),
    ...messageRoutes(deps),
    ...alarmRoutes(deps),
    ...auditRoutes(deps),
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
    serverAddress: () => deps.options().ServerAddress,
    // A change that is committed is done; a look that failed is made up for by the next one.
    settled: () => deps.versions.check().catch(() => {}),
    report: deps.report,
    document,
  })
}

function requireAll(bindings: readonly Binding[]): void {
  const missing = ROUTES.filter(({ spec }) => !bindings.some((binding) => binding.spec === spec))
  if (missing.length > 0) throw new Error(`routes without code: ${missing.map((route) => route.name).join(', ')}`)
}
