import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Failure } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { Notice } from '../notice.tsx'
import { uiTexts } from '../texts/ui-texts.ts'
import { useToasts } from '../toast/toasts.ts'
import { useSubmitFailure } from './use-schema-form.ts'

interface FormShellProps {
  readonly onSubmit: (event: { preventDefault(): void }) => void
  /** An error about the form as a whole; otherwise empty. */
  readonly error: string
  readonly submitLabel: string
  readonly busy: boolean
  readonly onCancel?: () => void
  /** Shown in the place of the error, such as the result of a test. */
  readonly notice?: ReactNode
  /** True when the fields are read-only, so that there is nothing to submit. */
  readonly readOnly?: boolean
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function FormShell(props: FormShellProps) {
  const t = useTexts(uiTexts)
  return (
    <form noValidate onSubmit={props.onSubmit} className="border-line bg-surface rounded-lg border">
      <fieldset disabled={props.readOnly === true} className="divide-line flex min-w-0 flex-col divide-y">
        {props.children}
      </fieldset>
      <div className="border-line bg-surface sticky bottom-0 z-[1] flex flex-col gap-3 rounded-b-lg border-t px-4 py-3 md:px-5">
        {props.error !== '' && <Notice tone="bad">{props.error}</Notice>}
        {props.notice}
        <div className="flex flex-wrap justify-end gap-2">
          {props.onCancel !== undefined && <Button onClick={props.onCancel}>{t.cancel}</Button>}
          {props.actions}
          {props.readOnly !== true && (
            <Button type="submit" variant="primary" busy={props.busy}>
              {props.submitLabel}
            </Button>
          )}
        </div>
      </div>
    </form>
  )
}

interface FormSectionProps {
  readonly id?: string
  readonly title: string
  readonly text?: string
  readonly children: ReactNode
}

export function FormSection({ id, title, text, children }: FormSectionProps) {
  return (
    <section
      id={id}
      aria-label={title}
      className="scroll-mt-2 grid gap-x-8 gap-y-4 px-4 py-5 md:px-5 lg:grid-cols-[13rem_minmax(0,1fr)]"
    >
      <div>
        <h2 tabIndex={-1} className="text-sm font-semibold outline-none">
          {title}
        </h2>
        {text !== undefined && <p className="text-muted mt-1 text-xs">{text}</p>}
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  )
}

export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useTexts(uiTexts)
  return (
    <Dialog
      role="alertdialog"
      title={t.leaveTitle}
      onClose={onStay}
      footer={
        <>
          <Button onClick={onStay}>{t.stay}</Button>
          <Button variant="danger" onClick={onLeave}>
            {t.leave}
          </Button>
        </>
      }
    >
      <p className="text-muted">{t.leaveText}</p>
    </Dialog>
  )
}

/**
 * Returns why a call could not save, or an empty text after refetching what is cached for the area and showing a toast. `next` then
 * navigates on.
 */
export function useSaved(area: string) {
  const cache = useQueryClient()
  const toasts = useToasts()
  const failed = useSubmitFailure()
  return async <S extends { readonly ok: true }>(
    reply: S | Failure,
    toast: { readonly title: string; readonly text?: string },
    next?: (saved: S) => Promise<void>,
  ): Promise<string> => {
    if (!reply.ok) return failed(reply)
    await cache.invalidateQueries({ queryKey: [area] })
    toasts.show({ tone: 'good', ...toast })
    await next?.(reply)
    return ''
  }
}
