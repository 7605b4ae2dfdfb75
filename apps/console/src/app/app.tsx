import { RouterProvider } from '@tanstack/react-router'
import { type CommandRegistry, CommandContext, ShortcutsEnabledContext } from '../lib/commands.ts'
import { type Call, CallContext } from '../lib/http/call.ts'
import { type I18n, I18nContext } from '../lib/i18n/i18n.ts'
import { type Session, SessionContext } from '../lib/session/session.ts'
import { SystemStatusContext, type SystemStatusStore } from '../lib/status/system-status.ts'
import type { Store } from '../lib/store.ts'
import { type Theme, ThemeContext } from '../lib/theme.ts'
import { ConfirmProvider } from '../ui/confirm.tsx'
import { ToastContext, type Toasts } from '../ui/toast/toasts.ts'
import type { createConsoleRouter } from './router.ts'

export interface ConsoleParts {
  readonly call: Call
  readonly session: Session
  readonly i18n: I18n
  readonly theme: Store<Theme>
  readonly commands: CommandRegistry
  readonly shortcutsEnabled: Store<boolean>
  readonly toasts: Toasts
  readonly status: SystemStatusStore
  readonly router: ReturnType<typeof createConsoleRouter>
}

export function App({ parts }: { parts: ConsoleParts }) {
  return (
    <CallContext value={parts.call}>
      <SessionContext value={parts.session}>
        <I18nContext value={parts.i18n}>
          <ThemeContext value={parts.theme}>
            <CommandContext value={parts.commands}>
              <ShortcutsEnabledContext value={parts.shortcutsEnabled}>
                <ToastContext value={parts.toasts}>
                  <SystemStatusContext value={parts.status}>
                    <ConfirmProvider>
                      <RouterProvider router={parts.router} />
                    </ConfirmProvider>
                  </SystemStatusContext>
                </ToastContext>
              </ShortcutsEnabledContext>
            </CommandContext>
          </ThemeContext>
        </I18nContext>
      </SessionContext>
    </CallContext>
  )
}
