import { doctorReport } from '../doctor.ts'
import { defineRoute } from '../route.ts'

export const examine = defineRoute({
  method: 'GET',
  // It connects to the mail server, to sign-in providers and to the public address.
  changes: true,
  path: '/api/doctor/',
  access: 'doctor.examine',
  summary:
    'Examine this installation and return what was found, the most urgent first; it calls no model. Takes up to eight seconds; calls at the same time share one examination',
  data: doctorReport,
})
