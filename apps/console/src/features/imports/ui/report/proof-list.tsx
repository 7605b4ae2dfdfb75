import type { ImportReport } from '@sluice/contract/import'
import { importTexts } from '~/features/imports/texts/import-texts.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { CheckIcon, WarningIcon } from '~/ui/sign-icons.tsx'

/** The invariants of the ledger after the import, and whether each of them holds. */
export function ProofList({ proof }: { proof: NonNullable<ImportReport['proof']> }) {
  const t = useTexts(importTexts).proof
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {proof.map(({ id, statement, ok }) => (
        <li key={id} className="flex items-start gap-2">
          <span className={`mt-0.5 ${ok ? 'text-good' : 'text-bad'}`}>{ok ? <CheckIcon /> : <WarningIcon />}</span>
          <span className="min-w-0">
            <span className="text-muted">{id}</span> {statement}
            <span className={ok ? 'sr-only' : 'text-bad font-medium'}> ({ok ? t.sound : t.broken})</span>
          </span>
        </li>
      ))}
    </ul>
  )
}
