import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { IconButton } from '~/ui/button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { CloseIcon, InfoIcon } from '~/ui/icon.tsx'
import { contentKind, RichContent } from '~/ui/rich-content/rich-content.tsx'
import { dismiss, isDismissed, keptNotice, noticeQuery } from '../calls.ts'
import { contentTexts } from '../texts/content-texts.ts'

/** Shown until dismissed; a changed text is a new notice. */
export function NoticeStrip() {
  const { notice_id } = useSystemStatus()
  return notice_id === '' ? null : <Strip key={notice_id} id={notice_id} />
}

function Strip({ id }: { id: string }) {
  const t = useTexts(contentTexts)
  const [gone, setGone] = useState(() => isDismissed(id))
  const [open, setOpen] = useState(false)
  const query = useQuery({ ...noticeQuery(useCall(), id), initialData: () => keptNotice(id), enabled: !gone })
  const text = query.data ?? ''
  if (gone || text === '') return null
  const { line, hasMore } = noticeExcerpt(text)
  return (
    <section
      aria-label={t.notice}
      className="bg-accent-soft text-accent flex items-center gap-x-3 px-4 py-1 text-sm md:px-6"
    >
      <InfoIcon />
      <p className="min-w-0 grow py-1">
        {line === '' ? t.noticePage : line}{' '}
        {hasMore && (
          <button type="button" onClick={() => setOpen(true)} className="font-medium underline">
            {t.readNotice}
          </button>
        )}
      </p>
      <IconButton
        label={t.dismissNotice}
        onClick={() => {
          dismiss(id)
          setGone(true)
        }}
      >
        <CloseIcon />
      </IconButton>
      {open && (
        <Dialog title={t.notice} onClose={() => setOpen(false)}>
          <div className="text-ink">
            <RichContent text={text} />
          </div>
        </Dialog>
      )}
    </section>
  )
}

/** In characters. */
const LONGEST = 140

export interface NoticeExcerpt {
  /** The first line without its markup; empty for a page from another host. */
  readonly line: string
  readonly hasMore: boolean
}

export function noticeExcerpt(text: string): NoticeExcerpt {
  if (contentKind(text) === 'page') return { line: '', hasMore: true }
  const lines = text
    .replace(/<!--[^]*?-->|<[^>]*>/g, ' ')
    .split('\n')
    .map(withoutMarks)
    .filter((line) => line !== '')
  const first = lines[0] ?? ''
  const line = first.length <= LONGEST ? first : `${first.slice(0, LONGEST).replace(/\s+\S*$/, '')}…`
  return { line, hasMore: line !== text.trim() }
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+\.)\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|`|~~/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
