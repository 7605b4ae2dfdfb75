import type { ReactNode } from 'react'

/** Holds what the sidebar chose: token, channel, models, parameters. */
export function SetupProvider({ children }: { children: ReactNode }) {
  return children
}
