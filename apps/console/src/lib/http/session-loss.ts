/** Texts with which servers of the family report, with HTTP 200, that the session is gone. */
const LOSS_TEXTS = ['access token is invalid', 'not logged in', 'No permission to perform this operation'] as const

/** Serves visitors and signed-in users alike; a refusal there says nothing about the session. */
const OPEN_TO_VISITORS = '/api/models/display'

/** Whether a reply means that the visitor has to sign in again. */
export function isSessionLoss(path: string, status: number, envelope: { success: boolean; message: string }): boolean {
  if (path === OPEN_TO_VISITORS) return false
  if (status === 401 || status === 403) return true
  return !envelope.success && LOSS_TEXTS.some((text) => envelope.message.includes(text))
}
