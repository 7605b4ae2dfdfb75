import type { ReactNode } from 'react'
import { FormSection } from '~/ui/form/form-shell.tsx'

interface SectionCardProps {
  /** For addresses that link here: `/settings#totp`. */
  readonly id: string
  readonly title: string
  readonly text?: string
  readonly children: ReactNode
}

/** A section of the personal settings in its own card, laid out like the sections of a form. */
export function SectionCard(props: SectionCardProps) {
  return (
    <div className="border-line bg-surface rounded-lg border">
      <FormSection {...props} />
    </div>
  )
}
