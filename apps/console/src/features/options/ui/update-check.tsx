import { updateInfo } from '@sluice/contract/routes/options'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { diagnostics } from '~/lib/diagnostics.ts'
import { isWorthTelling } from '~/lib/http/call.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button, buttonClass } from '~/ui/button.tsx'
import { optionTexts } from '../texts/option-texts.ts'

const Markdown = lazy(async () => ({ default: (await import('~/ui/markdown/markdown.tsx')).Markdown }))

type Check =
  | { readonly is: 'idle' | 'running' | 'failed' }
  | { readonly is: 'done'; readonly tag: string; readonly content: string }

/** Requests the newest release. The cause of a failure is only logged. */
export function UpdateCheck() {
  const t = useTexts(optionTexts)
  const call = useCall()
  const { version } = useSystemStatus()
  const [check, setCheck] = useState<Check>({ is: 'idle' })
  const run = async () => {
    setCheck({ is: 'running' })
    const reply = await call(updateInfo, {})
    if (reply.ok) return setCheck({ is: 'done', tag: reply.data.tag_name, content: reply.data.content })
    setCheck({ is: 'failed' })
    if (isWorthTelling(reply)) diagnostics.error(`Failed to check for updates: ${reply.message || reply.kind}`)
  }
  useCommand({ id: 'options.check-updates', label: t.check, group: t.commands, run: () => void run() })
  return (
    <div className="flex flex-col gap-3 px-4 py-3.5 md:px-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm">{t.version(version)}</p>
        <div className="flex flex-wrap gap-2">
          <Link to="/doctor" className={buttonClass()}>
            {t.doctor}
          </Link>
          <Button busy={check.is === 'running'} onClick={() => void run()}>
            {check.is === 'running' ? t.checking : t.check}
          </Button>
        </div>
      </div>
      <p role="status" className="text-sm empty:hidden">
        {check.is === 'done' && `${t.newest(check.tag)} ${isSameRelease(check.tag, version) ? t.isNewest : ''}`.trim()}
        {check.is === 'failed' && t.noRelease}
      </p>
      {check.is === 'done' && check.content.trim() !== '' && (
        <div className="border-line max-h-96 overflow-y-auto rounded-md border px-4 py-3">
          <Suspense>
            <Markdown text={check.content} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** Whether a release's tag names the running version; tags may begin with a `v`. */
export function isSameRelease(tag: string, version: string): boolean {
  return tag.trim().replace(/^v/i, '') === version.trim().replace(/^v/i, '')
}
