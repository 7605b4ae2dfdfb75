'use no memo' // Every first visit downloads this file, see README: memo code would cost more than it saves here.

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { listenForShortcuts } from '../../../lib/commands/shortcuts.ts'
import { useCommand, useCommandRegistry } from '../../../lib/commands/use-commands.ts'
import { useShortcutsEnabled } from '../../../lib/commands/use-shortcuts-enabled.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { useStore } from '../../../lib/store/use-store.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import type { NavigationEntry } from '../model/navigation.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import { useNavigation } from './navigation-list.tsx'

/** Listens for the keys of every command and offers the ones of the shell: go to a page, show this list. */
export function Shortcuts() {
  const t = useTexts(shellTexts)
  const registry = useCommandRegistry()
  const enabled = useShortcutsEnabled()
  const [open, setOpen] = useState(false)
  const entries = useNavigation()
  useEffect(() => listenForShortcuts(registry, window, enabled.get), [registry, enabled])
  useCommand({ id: 'help', label: t.showShortcuts, group: t.general, keys: '[Shift]+?', run: () => setOpen(true) })
  return (
    <>
      {entries.map((entry) => entry.keys !== undefined && <GoTo key={entry.id} entry={entry} keys={entry.keys} />)}
      {open && <ShortcutHelp onClose={() => setOpen(false)} />}
    </>
  )
}

function GoTo({ entry, keys }: { entry: NavigationEntry; keys: string }) {
  const t = useTexts(shellTexts)
  const navigate = useNavigate()
  const { id, to } = entry
  useCommand({ id: `go.${id}`, label: t.nav[id], group: t.goTo, keys, run: () => void navigate({ to }) })
  return null
}

/** What can be pressed on this page, drawn from the same registry that runs it. */
function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellTexts)
  const commands = useStore(useCommandRegistry()).filter((command) => command.keys !== undefined)
  const enabledStore = useShortcutsEnabled()
  const enabled = useStore(enabledStore)
  const groups = [...new Set(commands.map((command) => command.group))]
  return (
    <Dialog title={t.shortcuts} onClose={onClose}>
      {groups.map((group) => (
        <section key={group} className="mb-4">
          <h3 className="text-muted mb-1 text-xs font-medium">{group}</h3>
          <dl className="divide-line divide-y">
            {commands
              .filter((command) => command.group === group)
              .map((command) => (
                <div key={command.id} className="flex items-center justify-between gap-4 py-1.5 text-sm">
                  <dt>{command.label}</dt>
                  <dd className="flex gap-1">
                    {(command.keys ?? '')
                      .replace('[Shift]+', '')
                      .split(' ')
                      .map((key) => (
                        <kbd
                          key={key}
                          className="border-line bg-subtle min-w-6 rounded border px-1.5 text-center font-mono text-xs leading-5"
                        >
                          {key}
                        </kbd>
                      ))}
                  </dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
      <label className="flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          className="accent-accent-solid size-4"
          checked={enabled}
          onChange={(event) => enabledStore.set(event.target.checked)}
        />
        {t.shortcutsOn}
      </label>
    </Dialog>
  )
}
