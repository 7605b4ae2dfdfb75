import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouteContext } from '@tanstack/react-router'
import { lazy, Suspense, use } from 'react'
import { useCan } from '../lib/session/session.ts'
import { useSystemStatus } from '../lib/status/system-status.ts'

const AlarmBanner = lazy(async () => ({
  default: (await import('../features/alarms/ui/alarm-banner.tsx')).AlarmBanner,
}))

const NoticeStrip = lazy(async () => ({
  default: (await import('../features/content/ui/notice-strip.tsx')).NoticeStrip,
}))

/** Provides the query cache to the pages below. Shows the operators' notice to all, alarms to users who may handle them. */
export function QueryScope() {
  const { queries } = useRouteContext({ from: '__root__' })
  const { notice_id } = useSystemStatus()
  const seesAlarms = useCan('alarms.manage')
  return (
    <QueryClientProvider client={use(queries.client())}>
      {notice_id !== '' && (
        <Suspense>
          <NoticeStrip />
        </Suspense>
      )}
      {seesAlarms && (
        <Suspense>
          <AlarmBanner />
        </Suspense>
      )}
      <Outlet />
    </QueryClientProvider>
  )
}
