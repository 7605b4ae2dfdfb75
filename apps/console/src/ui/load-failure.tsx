import { CallFailed } from '../lib/http/call.ts'
import { Notice } from './notice.tsx'

/** Why something could not be loaded: the gateway's reason, or else `text`. Nothing as long as there is no error. */
export function LoadFailure({ error, text }: { error: Error | null; text: string }) {
  if (error === null) return null
  return <Notice tone="bad">{(error instanceof CallFailed && error.failure.message) || text}</Notice>
}
