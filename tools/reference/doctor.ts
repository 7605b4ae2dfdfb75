import { checkTitle, checkOf, FINDINGS, type FindingId } from '../../packages/contract/src/findings/catalogue.ts'
import type { FindingEntry } from '../../packages/contract/src/findings/finding-entry.ts'
import { code, page } from './markdown-page.ts'

export function doctorPage(): string {
  const entries = Object.entries(FINDINGS) as readonly (readonly [FindingId, FindingEntry])[]
  return page(
    'Doctor',
    'What `sluice doctor`, `GET /api/doctor/` and the page *Doctor* of the console can find, by check. The ids and the parameters in braces ' +
      'keep their meaning; texts may change. `ok`: in order · `note`: worth knowing · `warning`: will become a problem, or makes ' +
      'something unreliable · `problem`: users notice it, or money is at stake. The catalogue is `packages/contract/src/findings`.',
    ['Check', 'Finding', 'Severity', 'What it says', 'What to do'],
    entries.map(([id, { severity, finding, remedy }]) => [
      checkTitle(checkOf(id), 'english'),
      code(id),
      severity,
      finding,
      remedy ?? '',
    ]),
  )
}
