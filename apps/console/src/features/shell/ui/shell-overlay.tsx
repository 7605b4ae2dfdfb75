import { byKeys } from '~/lib/commands.ts'
import { useCommandRegistry, useShortcutsEnabled } from '~/lib/commands.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useStore } from '~/lib/store.ts'
import { Dialog } from '~/ui/dialog.tsx'
import { shellTexts } from '../texts/shell-texts.ts'
import { CommandPalette, isMac, keyNames, Keys } from './command-palette.tsx'

export type Overlay = 'palette' | 'help'

/** Loaded when an overlay is first needed, or when the first page has settled. */
export function ShellOverlay({ overlay, onClose }: { overlay: Overlay; onClose: () => void }) {
  return overlay === 'palette' ? <CommandPalette onClose={onClose} /> : <ShortcutHelp onClose={onClose} />
}

function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const t = useTexts(shellTexts)
  const commands = [...byKeys(useStore(useCommandRegistry())).values()]
  const enabledStore = useShortcutsEnabled()
  const enabled = useStore(enabledStore)
  const ofTheShell = [t.goTo, t.general]
  const groups = new Set([
    ...commands.map(({ group }) => group).filter((group) => !ofTheShell.includes(group)),
    ...ofTheShell,
  ])
  return (
    <Dialog title={t.shortcuts} onClose={onClose}>
      {[...groups].map((group) => (
        <section key={group} className="mb-4">
          <h3 className="text-muted mb-1 text-xs font-medium">{group}</h3>
          <dl className="divide-line divide-y">
            {commands
              .filter((command) => command.group === group)
              .map(({ id, label, keys = '' }) => (
                <div key={id} className="flex items-center justify-between gap-4 py-1.5 text-sm">
                  <dt>{label}</dt>
                  <dd>
                    <Keys names={keyNames(keys, isMac(navigator.platform))} />
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
