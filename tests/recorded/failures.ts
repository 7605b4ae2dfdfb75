import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readUpstreamError, errorInside, type UpstreamError } from '@sluice/dialects/canon/upstream-error'
import type { Fault } from '@sluice/providers/failures/failure-rule'

/** A provider failure that somebody encountered, and who was at fault. */
export interface RecordedFailure {
  readonly vendor: string
  readonly kind: number
  readonly status: number
  readonly fault: Fault
  readonly source: string
  readonly body: object
}

interface FailureFile {
  readonly kind: number
  readonly failures: readonly Omit<RecordedFailure, 'vendor' | 'kind'>[]
}

const FOLDER = join(import.meta.dirname, 'failures')

/** Every file of the folder, sorted by name. */
export const RECORDED_FAILURES: readonly RecordedFailure[] = readdirSync(FOLDER)
  .toSorted()
  .flatMap((name) => {
    const { kind, failures } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as FailureFile
    return failures.map((failure) => ({ vendor: name.replace('.json', ''), kind, ...failure }))
  })

/** As the relay reads it. */
export function errorOf({ status, body }: Pick<RecordedFailure, 'status' | 'body'>): UpstreamError | undefined {
  return status < 300 ? errorInside(body) : readUpstreamError(Buffer.from(JSON.stringify(body)))
}
