import { type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { useCommand } from '~/lib/commands.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { browserStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { IconButton } from '~/ui/button.tsx'
import { Dialog } from '~/ui/dialog.tsx'
import { Typesetting } from '~/ui/markdown/typeset/typesetting.tsx'
import { PageHeading } from '~/ui/page.tsx'
import { threadTexts } from '../texts/thread-texts.ts'
import { Composer } from './composer/composer.tsx'
import { createDraft, DraftContext, NextAttachmentsContext, useAttachments } from './composer/use-attachments.ts'
import { PlaygroundSession } from './history/playground-session.tsx'
import { SlidersIcon } from './playground-icons.tsx'
import { SetupNotices } from './setup/setup-notices.tsx'
import { SetupProvider } from './setup/setup-provider.tsx'
import { SetupSidebar } from './setup/setup-sidebar.tsx'
import { Thread } from './thread/thread.tsx'
import { Toolbar } from './thread/toolbar.tsx'

export function PlaygroundPage() {
  return (
    <PlaygroundSession>
      <SetupProvider>
        <PlaygroundFrame
          sidebar={<SetupSidebar />}
          toolbar={<Toolbar />}
          composer={
            <>
              <SetupNotices />
              <Composer />
            </>
          }
        >
          <Typesetting>
            <Thread />
          </Typesetting>
        </PlaygroundFrame>
      </SetupProvider>
    </PlaygroundSession>
  )
}

interface PlaygroundFrameProps {
  readonly sidebar: ReactNode
  readonly toolbar: ReactNode
  readonly composer: ReactNode
  readonly children: ReactNode
}

function PlaygroundFrame({ sidebar, toolbar, composer, children }: PlaygroundFrameProps) {
  const t = useTexts(threadTexts)
  const overlay = useIsBelow('desktop')
  const [column, setColumn] = useKeptColumn()
  const [sheet, setSheet] = useState(false)
  const [draft] = useState(() => createDraft(browserStorage()))
  const attachments = useAttachments()
  const shown = overlay ? sheet : column
  const toggle = () => (overlay ? setSheet(!sheet) : setColumn(!column))
  useCommand({
    id: 'playground.settings',
    label: t.commands.toggleSettings,
    group: t.group,
    keys: 's',
    run: toggle,
  })
  return (
    <DraftContext value={draft}>
      <NextAttachmentsContext value={attachments}>
        <div data-fills-window className="flex min-h-0 grow">
          {column && !overlay && (
            <aside aria-label={t.settings} className="border-line bg-surface w-72 shrink-0 overflow-y-auto border-e">
              {sidebar}
            </aside>
          )}
          {sheet && overlay && (
            <Dialog side="left" title={t.settings} onClose={() => setSheet(false)}>
              {sidebar}
            </Dialog>
          )}
          <div className="flex min-w-0 grow flex-col">
            <div className="border-line flex h-12 shrink-0 items-center gap-1 border-b px-2">
              <PageHeading title={t.title} hidden />
              <IconButton label={shown ? t.hideSettings : t.showSettings} aria-expanded={shown} onClick={toggle}>
                <SlidersIcon />
              </IconButton>
              {toolbar}
            </div>
            {children}
            {composer}
          </div>
        </div>
      </NextAttachmentsContext>
    </DraftContext>
  )
}

function useKeptColumn(): readonly [boolean, (shown: boolean) => void] {
  const record = storedRecord(browserStorage(), PLAYGROUND_KEYS.sidebar, v.boolean())
  const [shown, setShown] = useState(() => record.read() ?? true)
  return [
    shown,
    (next) => {
      record.write(next)
      setShown(next)
    },
  ]
}
