import type { LedgerCheck, LedgerCheckMode } from '@sluice/contract/ledger-check'
import { startLedgerCheck } from '@sluice/contract/routes/ledger'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useTellFailure } from '~/ui/toast/use-tell-failure.ts'
import { LEDGER_CHECKS, ledgerChecksQuery } from '../ledger-checks-call.ts'
import { auditTexts } from '../texts/audit-texts.ts'

/** Pause between two polls while a verification runs, in milliseconds. */
const LOOK_MS = 1_000

/** The latest verifications, polled while one runs, and a function to start one. */
export function useLedgerCheck() {
  const t = useTexts(auditTexts)
  const call = useCall()
  const tell = useTellFailure()
  const queryClient = useQueryClient()
  const [starting, setStarting] = useState<LedgerCheckMode>()
  const checks = useQuery({
    ...ledgerChecksQuery(call),
    refetchInterval: ({ state }) => (runningMode(state.data) === undefined ? false : LOOK_MS),
  })
  const start = async (mode: LedgerCheckMode) => {
    setStarting(mode)
    const reply = await call(startLedgerCheck, { body: { mode } })
    if (!reply.ok) tell(t.startFailed, reply)
    // Also when it was refused: another user's is then running.
    await queryClient.invalidateQueries({ queryKey: LEDGER_CHECKS })
    setStarting(undefined)
  }
  /** The one that is running or about to. */
  const underWay = starting ?? runningMode(checks.data)
  return { checks, underWay, start }
}

function runningMode(checks: readonly LedgerCheck[] | undefined): LedgerCheckMode | undefined {
  const latest = checks?.[0]
  return latest?.outcome === 'running' ? latest.mode : undefined
}
