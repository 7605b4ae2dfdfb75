/**
 * Who may do what. Server and console read the same table, so a button is shown only when its call is allowed.
 *
 * Roles are numbers on the wire, as in the One API family: 1 user, 10 administrator, 100 root.
 */
export const ROLE = { user: 1, admin: 10, root: 100 } as const

const LOWEST_ROLE = {
  'account.own': ROLE.user,
  'dashboard.own': ROLE.user,
  'dashboard.anyUser': ROLE.admin,
  'tokens.own': ROLE.user,
  'tokens.all': ROLE.admin,
  'logs.own': ROLE.user,
  'logs.all': ROLE.admin,
  'logs.clear': ROLE.admin,
  'logs.refund': ROLE.admin,
  'channels.manage': ROLE.admin,
  /** Change the address to which a stored key is sent. */
  'channels.moveKeys': ROLE.root,
  'users.manage': ROLE.admin,
  'groups.view': ROLE.admin,
  'redemptions.manage': ROLE.admin,
  /** See the Settings entry in the navigation; the page itself shows the Personal tab to everyone. */
  'settings.open': ROLE.admin,
  /** Read the settings, as the channel and user forms need them. */
  'settings.view': ROLE.admin,
  'settings.manage': ROLE.root,
  'alarms.manage': ROLE.admin,
  'audit.view': ROLE.root,
  'data.import': ROLE.root,
  'configuration.manage': ROLE.root,
  'ledger.verify': ROLE.root,
  'doctor.examine': ROLE.root,
} as const

export type Capability = keyof typeof LOWEST_ROLE

/** A missing role is a guest, who may do nothing. */
export function can(role: number | undefined, capability: Capability): boolean {
  return role !== undefined && role >= LOWEST_ROLE[capability]
}
