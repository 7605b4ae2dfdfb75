import type { ImportRun } from '@sluice/contract/import'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Question } from '~/ui/confirm.tsx'
import { importTexts } from '../texts/import-texts.ts'

/** The question before an import, which names what will be written as far as it is known. */
export function useConfirmation({ report, label }: ImportRun): Omit<Question, 'run'> {
  const t = useTexts(importTexts).confirm
  const written = (name: string) => {
    const table = report?.tables.find((one) => one.name === name)
    return formatCount(table === undefined ? 0 : table.added + table.changed)
  }
  const what =
    report === null
      ? t.unknown
      : t.known(written('users'), written('tokens'), written('channels'), written('redemptions'))
  return { title: t.title, text: `${t.text(what, label)} ${t.afterwards}`, confirm: t.start, busy: t.starting }
}
