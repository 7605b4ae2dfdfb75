import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import type { Deliver } from './delivery.ts'
import type { ResendTransport } from './mail-transport.ts'

const TIMEOUT_MS = 15_000
/** https://resend.com/docs/api-reference/emails/send-email */
const RESEND_ADDRESS = 'https://api.resend.com'

/** Sends one mail through Resend's HTTP API. Rate limits, conflicts and server faults lead to a retry; other refusals are final. */
export function createResendDelivery(fetchGuarded: FetchGuarded, base = RESEND_ADDRESS): Deliver<ResendTransport> {
  return async ({ key, from }, mail, signal) => {
    const reply = await fetchGuarded({
      method: 'POST',
      url: `${base}/emails`,
      headers: { 'content-type': 'application/json', 'idempotency-key': mail.deliveryId },
      secretHeaders: { authorization: `Bearer ${key}` },
      body: JSON.stringify({
        from: from.name === '' ? from.address : `${from.name} <${from.address}>`,
        to: [mail.to],
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
      }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: 65_536,
      signal,
    })
    if (!reply.ok) return { ok: false, permanent: false, problem: `Resend: ${reply.reason}` }
    if (reply.status >= 200 && reply.status < 300) return { ok: true }
    return { ok: false, permanent: isFinal(reply.status), problem: `Resend answered ${reply.status}` }
  }
}

/** A wrong key (401, 403) is a faulty setting, which can be corrected while the mail waits. */
function isFinal(status: number): boolean {
  return status >= 400 && status < 500 && ![401, 403, 408, 409, 429].includes(status)
}
