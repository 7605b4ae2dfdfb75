import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { managersOnly } from './managers-only.ts'
import { protectedRoute } from './protected.ts'

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
