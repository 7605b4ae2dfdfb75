import type { ImportMode, importOrder } from '@sluice/contract/import'
import { startImport, stopImport } from '@sluice/contract/routes/imports'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { InferInput } from 'valibot'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useChange, useTellFailure } from '~/ui/use-change.ts'
import { LATEST_IMPORT } from '../calls.ts'
import { importTexts } from '../texts/import-texts.ts'

interface StartParts {
  readonly onStarted: (mode: ImportMode) => void
  /** Called when the gateway no longer has the uploaded file. */
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

export function StepHeading({ children }: { children: string }) {
  return (
    <h2 id="step" tabIndex={-1} className="min-w-0 text-base leading-7 font-semibold wrap-anywhere outline-none">
      {children}
    </h2>
  )
}

/** `share` is from 0 to 1. */
export function ProgressBar({ label, share }: { label: string; share: number }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      className="bg-subtle h-1.5 w-full overflow-hidden rounded-full"
    >
      <div className="bg-accent-solid h-full rounded-full transition-[width]" style={{ width: `${share * 100}%` }} />
    </div>
  )
}
