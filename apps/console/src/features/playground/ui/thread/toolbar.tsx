import { type ReactNode, lazy, Suspense, useState } from 'react'
import { exportTexts } from '~/features/playground/texts/export-texts.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { useCommand } from '~/lib/commands.ts'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { CheckIcon } from '~/ui/icon.tsx'
import { CodeIcon, MoreIcon, TrashIcon } from '~/ui/icons.tsx'
import { Menu, MenuItem } from '~/ui/menu.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { returnToField, useDraft } from '../composer/use-attachments.ts'
import { ImportButton } from '../export/import-button.tsx'
import { ConversationsButton } from '../history/conversations-button.tsx'
import { CompareIcon, ComposeIcon, FocusIcon, SaveIcon } from '../playground-icons.tsx'
import { useSetupControls } from '../setup/setup-controls.ts'
import { usePlayground, usePlaygroundState } from '../use-playground.ts'

/** An action on the whole conversation: a button, an entry of the menu on phones, and a command. */
interface Tool {
  readonly id: string
  readonly label: string
  readonly icon: () => ReactNode
  readonly on?: boolean
  readonly disabled?: boolean
  readonly run: () => void
}

export function Toolbar() {
  const t = useTexts(threadTexts)
  const playground = usePlayground()
  const phone = useIsBelow('tablet')
  const dialogs = useDialogs()
  const tools = useTools(dialogs.open)
  const draft = useDraft()
  const begin = () => {
    playground.begin()
    returnToField(draft)
  }
  useCommand({ id: 'playground.new', label: t.newConversation, group: t.group, keys: '$mod+Shift+o', run: begin })
  return (
    <>
      <div className="flex min-w-0 grow items-center gap-1">
        <ConversationsButton />
      </div>
      {tools.map((tool) => (
        <ToolCommand key={tool.id} tool={tool} />
      ))}
      <ImportButton>{(run, label) => <ToolCommand tool={{ id: 'import', label, icon: SaveIcon, run }} />}</ImportButton>
      {phone ? (
        <ToolMenu tools={tools} />
      ) : (
        <div role="group" aria-label={t.tools} className="flex gap-1">
          {tools.map((tool) => (
            <ToolButton key={tool.id} tool={tool} />
          ))}
        </div>
      )}
      <IconButton label={t.newConversation} onClick={begin}>
        <ComposeIcon />
      </IconButton>
      {dialogs.dialog}
    </>
  )
}

function useTools(open: ReturnType<typeof useDialogs>['open']): readonly Tool[] {
  const t = useTexts(threadTexts)
  const { exportTitle, codeTitle } = useTexts(exportTexts)
  const playground = usePlayground()
  const toasts = useToasts()
  const { parameters, change } = useSetupControls()
  const { conversation, columns, busy } = usePlaygroundState()
  const draft = useDraft()
  const compares = columns.length > 1
  const clear = () => {
    playground.clear()
    returnToField(draft)
    const undo = { label: t.undo, run: () => playground.open(conversation) }
    toasts.show({ tone: 'good', title: t.cleared, action: undo })
  }
  return [
    {
      id: 'compare',
      label: t.compare,
      icon: CompareIcon,
      on: compares,
      disabled: busy,
      run: () => playground.compare(compares ? 1 : 2),
    },
    {
      id: 'focus',
      label: t.focusMode,
      icon: FocusIcon,
      on: parameters.focusModeEnabled,
      run: () => change({ focusModeEnabled: !parameters.focusModeEnabled }),
    },
    { id: 'code', label: codeTitle, icon: CodeIcon, run: () => open('code') },
    { id: 'export', label: exportTitle, icon: SaveIcon, run: () => open('export') },
    { id: 'clear', label: t.clear, icon: TrashIcon, disabled: conversation.messages.length === 0, run: clear },
  ]
}

function ToolCommand({ tool: { id, label, disabled = false, run } }: { tool: Tool }) {
  const { group } = useTexts(threadTexts)
  useCommand({ id: `playground.${id}`, label, group, run: () => (disabled ? undefined : run()) })
  return null
}

function ToolButton({ tool: { label, icon: Picture, on, disabled, run } }: { tool: Tool }) {
  return (
    <IconButton label={label} aria-pressed={on} disabled={disabled} onClick={run}>
      <Picture />
    </IconButton>
  )
}

function ToolMenu({ tools }: { tools: readonly Tool[] }) {
  const t = useTexts(threadTexts)
  return (
    <Menu
      label={t.more}
      trigger={(props) => (
        <IconButton label={t.more} {...props}>
          <MoreIcon />
        </IconButton>
      )}
    >
      {tools.map(({ id, label, icon: Picture, on, disabled = false, run }) => (
        <MenuItem key={id} onSelect={run} disabled={disabled} {...(on !== undefined && { checked: on })}>
          <Picture />
          <span className="grow text-start">{label}</span>
          {on === true && <CheckIcon />}
        </MenuItem>
      ))}
    </Menu>
  )
}

const DIALOGS = {
  export: lazy(async () => ({ default: (await import('../export/export-dialog.tsx')).ExportDialog })),
  code: lazy(async () => ({ default: (await import('../export/code-dialog.tsx')).CodeDialog })),
}

/** Dialogs about the whole conversation, whose code loads when one is first opened. */
function useDialogs(): { readonly open: (which: keyof typeof DIALOGS) => void; readonly dialog: ReactNode } {
  const [shown, open] = useState<keyof typeof DIALOGS>()
  const Shown = shown === undefined ? undefined : DIALOGS[shown]
  const dialog = Shown !== undefined && (
    <Suspense>
      <Shown onClose={() => open(undefined)} />
    </Suspense>
  )
  return { open, dialog }
}
