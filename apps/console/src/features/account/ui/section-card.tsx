import type { ReactNode } from 'react'
import { FormSection } from '../../../ui/form/form-shell.tsx'

interface SectionCardProps {
  /** For addresses that lead here: `/settings#totp`. */
  readonly id: string
  readonly title: string
  readonly text?: string
  readonly children: ReactNode
}

/** A part of the personal settings in a card of its own, laid out as the parts of a form are. */
export function SectionCard(props: SectionCardProps) {
  return (
    <div className="border-line bg-surface rounded-lg border">
      <FormSection {...props} />
    </div>
  )
}
