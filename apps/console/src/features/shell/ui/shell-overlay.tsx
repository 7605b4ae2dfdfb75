import { CommandPalette } from './command-palette.tsx'
import { ShortcutHelp } from './shortcut-help.tsx'

/** Overlays that the shell opens over a page. */
export type Overlay = 'palette' | 'help'

/** Loaded when one of them is first needed, or when the first page has settled. */
export function ShellOverlay({ overlay, onClose }: { overlay: Overlay; onClose: () => void }) {
  return overlay === 'palette' ? <CommandPalette onClose={onClose} /> : <ShortcutHelp onClose={onClose} />
}
