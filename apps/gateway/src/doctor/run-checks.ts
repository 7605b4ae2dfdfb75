import { checkTitle, type CheckName, type Found } from '@sluice/contract/findings/catalogue'
import type { Check } from './check.ts'

export interface CheckBounds {
  /** Milliseconds for each check without its own limit. */
  readonly eachMs: number
  /** Resolves after that many milliseconds, or rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  /** Ends all checks when nobody is waiting for them. */
  readonly signal: AbortSignal
  readonly onError: (error: unknown, check: CheckName) => void
}

/** Runs all checks at once and returns findings in their order. A late or failing check becomes a finding. */
export async function runChecks(checks: readonly Check[], bounds: CheckBounds): Promise<readonly Found[]> {
  const found = await Promise.all(checks.map((check) => runCheck(check, bounds)))
  return found.flat()
}

async function runCheck(
  { name, examine, withinMs }: Check,
  { eachMs, pause, signal, onError }: CheckBounds,
): Promise<readonly Found[]> {
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const subject = checkTitle(name, 'english')
  const bound = withinMs ?? eachMs
  const late: Promise<readonly Found[]> = pause(bound, either).then(
    () => [{ id: 'doctor.late', subject, params: { seconds: bound / 1_000 } }],
    () => [],
  )
  const work = examine(either).catch((error: unknown): readonly Found[] => {
    if (ended.signal.aborted || signal.aborted) return []
    onError(error, name)
    return [{ id: 'doctor.failed', subject, params: { reason: reasonOf(error) } }]
  })
  const found = await Promise.race([work, late])
  ended.abort()
  return found
}

/** The error's code, from the system or a database; its message might reveal more than it should. */
function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : 'see the gateway’s log'
}
