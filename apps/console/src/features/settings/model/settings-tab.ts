import { type Capability, can } from '@sluice/contract/capability'

export const SETTINGS_TAB_IDS = ['personal', 'operation', 'system', 'other'] as const
export type SettingsTabId = (typeof SETTINGS_TAB_IDS)[number]

export interface SettingsTabAccess {
  readonly id: SettingsTabId
  /** Capability that is needed to see the tab; without one, everyone sees it. */
  readonly needs?: Capability
}

export function visibleTabs<Tab extends SettingsTabAccess>(
  tabs: readonly Tab[],
  role: number | undefined,
): readonly Tab[] {
  return tabs.filter(({ needs }) => needs === undefined || can(role, needs))
}

/** The first tab when a holder of `role` may not see the requested one. */
export function shownTab<Tab extends SettingsTabAccess>(
  tabs: readonly Tab[],
  role: number | undefined,
  id: SettingsTabId,
): Tab | undefined {
  const visible = visibleTabs(tabs, role)
  return visible.find((tab) => tab.id === id) ?? visible[0]
}
