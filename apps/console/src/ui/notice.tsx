import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { CheckIcon, InfoIcon, WarningIcon } from './icon.tsx'

/** `alert` interrupts screen readers; the others wait. */
export function Notice({ tone, children }: { tone: 'good' | 'bad' | 'info'; children: ReactNode }) {
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={clsx(
        'flex items-start gap-2 rounded-md px-3 py-2 text-sm wrap-anywhere',
        { good: 'bg-good-soft text-good', bad: 'bg-bad-soft text-bad', info: 'bg-accent-soft text-accent' }[tone],
      )}
    >
      <span className="mt-0.5">
        {tone === 'good' ? <CheckIcon /> : tone === 'bad' ? <WarningIcon /> : <InfoIcon />}
      </span>
      <div className="min-w-0">{children}</div>
    </div>
  )
}
