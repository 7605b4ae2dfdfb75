import { doctorReport } from '../doctor.ts'
import { defineRoute } from '../route.ts'

export const examine = defineRoute({
  method: 'GET',
  // It connects to the mail server, to sign-in providers and to the public address.
  changes: true,
  path: '/api/doctor/',
  access: 'doctor.examine',
  summary:
    'Examine this installation and return the findings, most urgent first, without calling a model. Takes up to eight seconds; concurrent calls share one examination',
  data: doctorReport,
})
