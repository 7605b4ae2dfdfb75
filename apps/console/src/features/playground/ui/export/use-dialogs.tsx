import { lazy, type ReactNode, Suspense, useState } from 'react'

const DIALOGS = {
  export: lazy(async () => ({ default: (await import('./export-dialog.tsx')).ExportDialog })),
  code: lazy(async () => ({ default: (await import('./code-dialog.tsx')).CodeDialog })),
}

/** The two dialogs about the whole conversation; their code loads when one is first opened. */
export function useDialogs(): { readonly open: (which: keyof typeof DIALOGS) => void; readonly dialog: ReactNode } {
  const [shown, open] = useState<keyof typeof DIALOGS>()
  const Shown = shown === undefined ? undefined : DIALOGS[shown]
  const dialog = Shown !== undefined && (
    <Suspense>
      <Shown onClose={() => open(undefined)} />
    </Suspense>
  )
  return { open, dialog }
}
