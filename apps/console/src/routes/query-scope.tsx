import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouteContext } from '@tanstack/react-router'
import { lazy, Suspense, use } from 'react'
import { useCan } from '../lib/session/use-session.ts'

const AlarmBanner = lazy(async () => ({
  default: (await import('../features/alarms/ui/alarm-banner.tsx')).AlarmBanner,
}))

/** Gives the pages below it the query cache, and tells whoever may see to it what needs seeing to. */
export function QueryScope() {
  const { queries } = useRouteContext({ from: '__root__' })
  const seesAlarms = useCan('alarms.manage')
  return (
    <QueryClientProvider client={use(queries.client())}>
      {seesAlarms && (
        <Suspense>
          <AlarmBanner />
        </Suspense>
      )}
      <Outlet />
    </QueryClientProvider>
  )
}
