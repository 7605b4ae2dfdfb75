import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { SETTINGS_TAB_IDS, shownTab } from '../features/settings/model/settings-tab.ts'
import { textFromAddress } from '../lib/list/list-search.ts'
import { protectedRoute } from './parents.ts'

const ownAccountRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/users/edit',
  loader: async ({ context }) => {
    const { ownAccountQuery } = await import('../features/account/calls.ts')
    context.queries.prefetch(ownAccountQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/account/ui/own-profile.tsx'), 'OwnAccountPage'),
})

export const accountRoutes = [ownAccountRoute] as const

const topupRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/topup',
  loader: async ({ context }) => {
    const { balanceQuery, recentTopupsQuery } = await import('../features/topup/calls.ts')
    context.queries.prefetch(balanceQuery(context.call))
    context.queries.prefetch(recentTopupsQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/topup/ui/topup-page.tsx'), 'TopupPage'),
})

export const topupRoutes = [topupRoute] as const

const settingsRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/settings',
  validateSearch: v.object({
    tab: v.optional(v.fallback(v.picklist(SETTINGS_TAB_IDS), 'personal'), 'personal'),
    find: v.optional(v.fallback(textFromAddress, ''), ''),
  }),
  search: { middlewares: [stripSearchParams({ tab: 'personal', find: '' })] },
  loaderDeps: ({ search }) => ({ tab: search.tab }),
  loader: async ({ context, deps }) => {
    const { SETTINGS_TABS } = await import('./settings-tabs.tsx')
    const tab = shownTab(SETTINGS_TABS, context.session.get()?.role, deps.tab)
    // The frame renders at once, and a tab whose code is still loading would be blank.
    await Promise.all([tab?.Content.preload?.(), tab?.prefetch?.(context)])
  },
  component: lazyRouteComponent(() => import('./settings-tabs.tsx'), 'SettingsScreen'),
})

export const settingsRoutes = [settingsRoute] as const
