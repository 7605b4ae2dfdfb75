import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { askProvider, textOf } from './ask-provider.ts'
import type { Identified } from './provider.ts'

/** The operator's own server, which knows who typed which code: github.com/songquanpeng/wechat-server. */
export interface WeChatServer {
  readonly address: string
  readonly token: string
}

/** The protocol is a single call, which takes the code and returns the person's id. */
export async function identifyByWeChat(
  fetchGuarded: FetchGuarded,
  { server, code, signal }: { readonly server: WeChatServer; readonly code: string; readonly signal: AbortSignal },
): Promise<Identified> {
  const reply = await askProvider(fetchGuarded, {
    method: 'GET',
    url: `${server.address.replace(/(?<!\/)\/+$/, '')}/api/wechat/user?code=${encodeURIComponent(code)}`,
    secretHeaders: { authorization: server.token },
    signal,
  })
  if (!reply.ok) return { ok: false, reason: reply.reason }
  const id = textOf(reply.json, 'data')
  if (reply.json['success'] !== true || id === '') {
    return { ok: false, reason: 'the code is wrong or has expired' }
  }
  return {
    ok: true,
    // The operator's server can move to another address, and its ids still identify the same people.
    identity: { issuer: '', subject: id, label: id, username: '', displayName: '', email: '' },
  }
}
