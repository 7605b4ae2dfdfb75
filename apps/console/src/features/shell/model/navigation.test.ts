import { ROLE } from '@sluice/contract/capability'
import { describe, expect, it } from 'vitest'
import { en } from '../texts/shell-texts.ts'
import { visibleNavigation } from './navigation.ts'

const everywhere = () => true
const ids = (role: number | undefined, exists: (path: string) => boolean = everywhere) =>
  visibleNavigation(role, exists).map(({ id }) => id)

const FOR_EVERYONE = ['dashboard', 'tokens', 'logs', 'topup', 'models', 'status', 'chat', 'about']
const FOR_OPERATORS = ['channels', 'users', 'redemptions', 'settings']

describe('navigation', () => {
  it('shows the eight common screens to every signed-in user', { tags: 'A2.4' }, () => {
    expect(ids(ROLE.user).sort()).toEqual([...FOR_EVERYONE].sort())
    const rows = visibleNavigation(ROLE.user, everywhere).map(({ id, to }) => `${en.nav[id]} ${to}`)
    expect(rows.toSorted()).toEqual([
      'About /about',
      'Dashboard /dashboard',
      'Logs /logs',
      'Models /models',
      'Playground /chat',
      'Status /status',
      'Tokens /tokens',
      'Top Up /topup',
    ])
  })

  it.each([ROLE.admin, ROLE.root])('adds the four operator screens for role %d', { tags: ['A2.5', 'A6.1'] }, (role) => {
    expect(ids(role).sort()).toEqual([...FOR_EVERYONE, ...FOR_OPERATORS].sort())
  })

  it('is empty for visitors', () => {
    expect(ids(undefined)).toEqual([])
  })

  it('links only to screens that exist', () => {
    expect(ids(ROLE.root, (path) => path === '/tokens' || path === '/channels')).toEqual(['tokens', 'channels'])
  })
})
