import type { Severity } from '@sluice/contract/doctor'
import { reportOf } from '../doctor/doctor.ts'
import type { Config } from '../environment/environment.ts'
import { createLog } from '../process/logger.ts'
import { examineBeside } from '../start/examine-beside.ts'
import { printDoctorReport } from './doctor-report.ts'
import { startSentence } from './start-sentence.ts'

export interface DoctorFlags {
  readonly json?: true
  readonly callProviders?: true
}

/** For scripts; documented in docs/operations/watch.md. */
const EXIT_CODES: Readonly<Record<Severity, number>> = { ok: 0, note: 0, warning: 1, problem: 2 }

/** Examines the installation and prints the findings; returns 0, or 1 for warnings and 2 for problems. */
export async function doctor(config: Config, { json, callProviders }: DoctorFlags): Promise<number> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const log = createLog('error', { write: (line) => void process.stderr.write(line) })
  const examination = await examineBeside(config, {
    callProviders: callProviders === true,
    signal: stop.signal,
    sentenceOf: (error) => startSentence(error, config),
    onError: (error, check) => log.error({ error, check }, 'a check failed'),
  })
  const report = reportOf(examination, 'english')
  if (json === true) console.log(JSON.stringify(report, null, 2))
  else printDoctorReport(report, { isColoured: process.stdout.isTTY && !process.env['NO_COLOR'], print: console.log })
  return EXIT_CODES[report.worst]
}
