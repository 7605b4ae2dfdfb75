import { createRedemptions } from '@sluice/contract/routes/redemptions'
import { useQueryClient } from '@tanstack/react-query'
import { saveFile } from '~/lib/dom/save-file.ts'
import { formatLocalDay } from '~/lib/format/date.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { CopyButton } from '~/ui/copy-button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { useSubmitFailure } from '~/ui/form/use-schema-form.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import type { RedemptionFormValues } from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'

const MOST_LINES = 10

/** One code per line. */
export function saveCodes(name: string, codes: readonly string[]): void {
  const file = codesFile(name, codes, new Date())
  saveFile(file.name, file.text, 'text/plain')
}

export function MadeCodesDialog({ made, onClose }: { made: MadeCodes; onClose: () => void }) {
  const t = useTexts(redemptionTexts)
  const { name, codes } = made
  return (
    <Dialog
      title={t.madeTitle(codes.length, name)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => saveCodes(name, codes)}>{t.download}</Button>
          <Button variant="primary" onClick={onClose}>
            {t.done}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-muted text-sm">{t.madeText}</p>
        <textarea
          readOnly
          data-first-focus
          aria-label={t.codes}
          rows={Math.min(MOST_LINES, codes.length)}
          value={codes.join('\n')}
          onFocus={(event) => event.target.select()}
          className="border-control bg-subtle w-full resize-none rounded-md border px-3 py-2 font-mono text-sm break-all"
        />
        <div>
          <CopyButton text={codes.join('\n')} label={t.copyAll} wide />
        </div>
      </div>
    </Dialog>
  )
}

/** One code per line. The file name says what they are: `redemption-codes-spring-2026-03-09.txt`. */
export function codesFile(name: string, codes: readonly string[], now: Date): { name: string; text: string } {
  const part = name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  const parts = ['redemption-codes', part, formatLocalDay(now)].filter((text) => text !== '')
  return { name: `${parts.join('-')}.txt`, text: `${codes.join('\n')}\n` }
}

/** Generated codes on their way from the form to the dialog that shows them; in memory only, because codes are money. */
export interface MadeCodes {
  readonly name: string
  readonly codes: readonly string[]
}

export const MADE_CODES = ['redemptions-made'] as const

/** Leaves the generated codes for the list, which shows them once. Returns what went wrong, or an empty text. */
export function useMakeCodes(): (values: RedemptionFormValues) => Promise<string> {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  return async ({ name, quota, count }) => {
    const reply = await call(createRedemptions, { body: { name, quota, count } })
    if (!reply.ok) return failed(reply)
    cache.setQueryData<MadeCodes>(MADE_CODES, { name, codes: reply.data })
    await cache.invalidateQueries({ queryKey: ['redemptions'] })
    toasts.show({ tone: 'good', title: t.created })
    return ''
  }
}
