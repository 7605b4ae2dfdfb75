import { QueryClientProvider } from '@tanstack/react-query'
import { Outlet, useRouteContext } from '@tanstack/react-router'
import { use } from 'react'

/** Gives the pages below it the query cache. */
export function QueryScope() {
  const { queries } = useRouteContext({ from: '__root__' })
  return (
    <QueryClientProvider client={use(queries.client())}>
      <Outlet />
    </QueryClientProvider>
  )
}
