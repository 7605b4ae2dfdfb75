import { type Capability, can } from '@sluice/contract/capability'
import type { en } from '../texts/shell-texts.ts'

export type NavigationGroup = 'use' | 'account' | 'operate'

export interface NavigationEntry {
  readonly id: Exclude<keyof (typeof en)['nav'], 'home' | 'register' | 'login'>
  readonly to: string
  readonly group: NavigationGroup
  /** Screens without a row, for which this row is marked. */
  readonly holds?: readonly string[]
  /** Capability that is needed to see the row; without one, every signed-in user sees it. */
  readonly needs?: Capability
  readonly keys?: string
}

/** Every screen of the specification that the shell links to. A row appears once the router knows its path. */
const NAVIGATION: readonly NavigationEntry[] = [
  { id: 'dashboard', to: '/dashboard', group: 'use', keys: 'g d' },
  { id: 'chat', to: '/chat', group: 'use', keys: 'g p' },
  { id: 'tokens', to: '/tokens', group: 'use', keys: 'g t' },
  { id: 'logs', to: '/logs', holds: ['/sessions'], group: 'use', keys: 'g l' },
  { id: 'models', to: '/models', group: 'use', keys: 'g m' },
  { id: 'status', to: '/status', group: 'use', keys: 'g s' },
  { id: 'topup', to: '/topup', group: 'account' },
  { id: 'about', to: '/about', group: 'account' },
  { id: 'channels', to: '/channels', group: 'operate', needs: 'channels.manage', keys: 'g c' },
  { id: 'users', to: '/users', group: 'operate', needs: 'users.manage', keys: 'g u' },
  { id: 'redemptions', to: '/redemptions', group: 'operate', needs: 'redemptions.manage', keys: 'g r' },
  {
    id: 'settings',
    to: '/settings',
    holds: ['/doctor', '/import', '/alarms'],
    group: 'operate',
    needs: 'settings.open',
  },
]

export function visibleNavigation(role: number | undefined, exists: (path: string) => boolean): NavigationEntry[] {
  if (role === undefined) return []
  return NAVIGATION.filter(({ to, needs }) => exists(to) && (needs === undefined || can(role, needs)))
}
