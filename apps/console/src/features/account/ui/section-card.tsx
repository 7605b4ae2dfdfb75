import type { ReactNode } from 'react'
import { CopyButton } from '~/ui/copy-button.tsx'
import { FormSection } from '~/ui/form/form-shell.tsx'

interface SectionCardProps {
  /** Anchor of the section: `/settings#totp`. */
  readonly id: string
  readonly title: string
  readonly text?: string
  readonly children: ReactNode
}

export function SectionCard(props: SectionCardProps) {
  return (
    <div className="border-line bg-surface rounded-lg border">
      <FormSection {...props} />
    </div>
  )
}

/** How long the confirmation of a copy stays, in milliseconds. */
export const COPIED_MS = 2_000

interface SecretValueProps {
  readonly label: string
  readonly text: string
  readonly shown?: string
  readonly copyLabel: string
}

export function SecretValue({ label, text, shown = text, copyLabel }: SecretValueProps) {
  return (
    <div>
      <p className="mb-1 text-sm font-medium">{label}</p>
      <div className="border-line bg-subtle flex items-center gap-2 rounded-md border py-1 ps-3 pe-1">
        <code className="min-w-0 grow font-mono text-sm wrap-anywhere select-all">{shown}</code>
        <CopyButton text={text} label={copyLabel} shownFor={COPIED_MS} />
      </div>
    </div>
  )
}
