import { lazyRouteComponent, useSearch } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { type SettingsTabAccess, shownTab, visibleTabs } from '../features/settings/model/settings-tab.ts'
import { SettingsPage } from '../features/settings/ui/settings-page.tsx'
import { useUser } from '../lib/session/session.ts'
import type { RouteContext } from './parents.ts'

/** The frame's texts have the tab's name under its id. */
export interface SettingsTab extends SettingsTabAccess {
  readonly Content: ComponentType & { readonly preload?: () => Promise<void> | undefined }
  /** Starts the tab's calls together with its code, without waiting for them. */
  readonly prefetch?: (context: RouteContext) => Promise<void>
}

/** In display order. Each tab belongs to the feature that fills it. */
export const SETTINGS_TABS: readonly SettingsTab[] = [
  {
    id: 'personal',
    Content: lazyRouteComponent(() => import('../features/account/ui/personal-tab.tsx'), 'PersonalTab'),
    prefetch: async ({ call, queries }) => {
      const { prefetchPersonalTab } = await import('../features/account/calls.ts')
      prefetchPersonalTab(queries, call)
    },
  },
  optionsTab('operation', 'OperationTab'),
  optionsTab('system', 'SystemTab'),
  optionsTab('other', 'OtherTab'),
]

function optionsTab(
  id: 'operation' | 'system' | 'other',
  name: 'OperationTab' | 'SystemTab' | 'OtherTab',
): SettingsTab {
  return {
    id,
    needs: 'settings.manage',
    Content: lazyRouteComponent(() => import('../features/options/ui/options-tabs.tsx'), name),
    prefetch: async ({ call, queries }) => {
      const { optionListQuery } = await import('../features/options/calls.ts')
      queries.prefetch(optionListQuery(call))
    },
  }
}

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
