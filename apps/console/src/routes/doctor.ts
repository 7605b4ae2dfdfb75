import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { managersOnly, protectedRoute } from './parents.ts'

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
