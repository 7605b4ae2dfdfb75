import { useSearch } from '@tanstack/react-router'
import { shownTab, visibleTabs } from '../features/settings/model/settings-tab.ts'
import { SettingsPage } from '../features/settings/ui/settings-page.tsx'
import { useUser } from '../lib/session/use-session.ts'
import { SETTINGS_TABS } from './settings-tabs.ts'

/** The settings' frame around the tab that the address names. */
export function SettingsScreen() {
  const role = useUser()?.role
  const { tab } = useSearch({ from: '/protected/settings' })
  const shown = shownTab(SETTINGS_TABS, role, tab)
  if (shown === undefined) return null
  const { id, Content } = shown
  return (
    <SettingsPage tabs={visibleTabs(SETTINGS_TABS, role)} current={id}>
      <Content key={id} />
    </SettingsPage>
  )
}
