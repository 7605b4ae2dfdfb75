import { ROLE } from '@sluice/contract/capability'
import { describe, expect, it } from 'vitest'
import { SETTINGS_TAB_IDS, type SettingsTabAccess, shownTab, visibleTabs } from './settings-tab.ts'

const tabs: readonly SettingsTabAccess[] = SETTINGS_TAB_IDS.map((id) =>
  id === 'personal' ? { id } : { id, needs: 'settings.manage' },
)
const idsFor = (role: number | undefined) => visibleTabs(tabs, role).map(({ id }) => id)

describe('settings tabs', () => {
  it('are all for root', () => {
    expect(idsFor(ROLE.root)).toEqual(['personal', 'operation', 'system', 'other'])
  })

  it.each([undefined, ROLE.user, ROLE.admin])('are only Personal for role %s', (role) => {
    expect(idsFor(role)).toEqual(['personal'])
  })

  it.each(SETTINGS_TAB_IDS)('give Personal to an administrator who requests %s', (id) => {
    expect(shownTab(tabs, ROLE.admin, id)?.id).toBe('personal')
  })

  it.each(SETTINGS_TAB_IDS)('give root the requested %s', (id) => {
    expect(shownTab(tabs, ROLE.root, id)?.id).toBe(id)
  })
})
