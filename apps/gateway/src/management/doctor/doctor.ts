import type { DoctorReport } from '@sluice/contract/doctor'
import type { Language } from '@sluice/contract/findings/catalogue'
import * as routes from '@sluice/contract/routes/doctor'
import { type Binding, bind } from '../bind.ts'
import { prefersChinese } from '../prefers-chinese.ts'

/** Examines the installation; concurrent calls share one examination. */
export interface Examining {
  readonly examine: (language: Language) => Promise<DoctorReport>
}

export interface DoctorDeps {
  readonly doctor: Examining
}

export function doctorRoutes({ doctor }: DoctorDeps): readonly Binding[] {
  return [
    bind(routes.examine, async ({ context }) => ({
      data: await doctor.examine(prefersChinese(context) ? 'chinese' : 'english'),
    })),
  ]
}
