import type { ImportMode, importOrder } from '@sluice/contract/import'
import { startImport, stopImport } from '@sluice/contract/routes/imports'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { InferInput } from 'valibot'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useTellFailure } from '~/ui/toast/use-tell-failure.ts'
import { useChange } from '~/ui/use-change.ts'
import { LATEST_IMPORT } from '../calls.ts'
import { importTexts } from '../texts/import-texts.ts'

interface StartParts {
  readonly onStarted: (mode: ImportMode) => void
  /** The gateway does not have the uploaded file any more. */
  readonly onGone: (message: string) => void
}

export function useStartImport({ onStarted, onGone }: StartParts) {
  const t = useTexts(importTexts)
  const call = useCall()
  const cache = useQueryClient()
  const tell = useTellFailure()
  const [starting, setStarting] = useState<ImportMode>()
  const start = async (order: InferInput<typeof importOrder>) => {
    setStarting(order.mode)
    const reply = await call(startImport, { body: order })
    // The run that was started, or the one that is in its way.
    await cache.invalidateQueries({ queryKey: LATEST_IMPORT })
    setStarting(undefined)
    if (reply.ok) onStarted(order.mode)
    else if (reply.code === 'upload_gone') onGone(reply.message)
    else tell(t.startFailed, reply)
  }
  return { start, starting }
}

export function useStopImport() {
  const t = useTexts(importTexts)
  const call = useCall()
  const stop = useChange({ send: () => call(stopImport, {}), failed: t.run.stopFailed, stale: [LATEST_IMPORT] })
  return { stop: stop.run, stopping: stop.busy }
}
