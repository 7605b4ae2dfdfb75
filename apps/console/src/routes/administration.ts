import { createRoute, lazyRouteComponent, stripSearchParams } from '@tanstack/react-router'
import * as v from 'valibot'
import { LIST_DEFAULTS, listSearchEntries } from '../lib/list/list-search.ts'
import { managersOnly, protectedRoute } from './parents.ts'

const alarmListRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/alarms',
  beforeLoad: managersOnly('alarms.manage'),
  validateSearch: v.object(listSearchEntries()),
  search: { middlewares: [stripSearchParams(LIST_DEFAULTS)] },
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps }) => {
    const { alarmListQuery } = await import('../features/alarms/calls.ts')
    context.queries.prefetch(alarmListQuery(context.call, deps))
  },
  component: lazyRouteComponent(() => import('../features/alarms/ui/alarm-list-page.tsx'), 'AlarmListPage'),
})

export const alarmRoutes = [alarmListRoute] as const

const doctorRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/doctor',
  beforeLoad: managersOnly('doctor.examine'),
  loader: async ({ context }) => {
    const { doctorQuery } = await import('../features/doctor/calls.ts')
    context.queries.prefetch(doctorQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/doctor/ui/doctor-page.tsx'), 'DoctorPage'),
})

export const doctorRoutes = [doctorRoute] as const

const importRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/import',
  beforeLoad: managersOnly('data.import'),
  // The page reads the step, so that its rules do not load with sign-in.
  validateSearch: (search: { readonly step?: string }): object => search,
  loader: async ({ context }) => {
    const { latestImportQuery } = await import('../features/imports/calls.ts')
    context.queries.prefetch(latestImportQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/imports/ui/import-page.tsx'), 'ImportPage'),
})

export const importRoutes = [importRoute] as const
