import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { managersOnly, protectedRoute } from './parents.ts'

const importRoute = createRoute({
  getParentRoute: () => protectedRoute,
  path: '/import',
  beforeLoad: managersOnly('data.import'),
  // Read by the page, so that its rules do not load with sign-in.
  validateSearch: (search: { readonly step?: string }): object => search,
  loader: async ({ context }) => {
    const { latestImportQuery } = await import('../features/imports/calls.ts')
    context.queries.prefetch(latestImportQuery(context.call))
  },
  component: lazyRouteComponent(() => import('../features/imports/ui/import-page.tsx'), 'ImportPage'),
})

export const importRoutes = [importRoute] as const
