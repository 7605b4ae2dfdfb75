import type { FetchGuarded } from '../outbound/guarded-fetch.ts'
import { asObject, askProvider, postJson, textOf } from './ask-provider.ts'
import type { Identified, ProviderAddresses } from './provider.ts'

export interface LarkClient {
  readonly id: string
  readonly secret: string
}

/** https://open.feishu.cn/document/authentication-management/access-token/obtain-oauth-code */
export function larkPage(addresses: ProviderAddresses, client: LarkClient, redirect: string, state: string): string {
  const query = new URLSearchParams({ client_id: client.id, redirect_uri: redirect, response_type: 'code', state })
  return `${addresses.larkAccounts}/open-apis/authen/v1/authorize?${query.toString()}`
}

/** Redeems a code and identifies the person by `open_id`, a person's id within this app. */
export async function identifyByLark(
  fetchGuarded: FetchGuarded,
  addresses: ProviderAddresses,
  call: { readonly client: LarkClient; readonly code: string; readonly redirect: string; readonly signal: AbortSignal },
): Promise<Identified> {
  const { client, code, redirect, signal } = call
  const granted = await askProvider(fetchGuarded, {
    url: `${addresses.lark}/open-apis/authen/v2/oauth/token`,
    ...postJson({
      grant_type: 'authorization_code',
      client_id: client.id,
      client_secret: client.secret,
      code,
      redirect_uri: redirect,
    }),
    signal,
  })
  if (!granted.ok) return granted
  const token = textOf(granted.json, 'access_token')
  if (granted.json['code'] !== 0 || token === '') return fail(`the code was not accepted${numberOf(granted.json)}`)

  const user = await askProvider(fetchGuarded, {
    method: 'GET',
    url: `${addresses.lark}/open-apis/authen/v1/user_info`,
    secretHeaders: { authorization: `Bearer ${token}` },
    signal,
  })
  if (!user.ok) return fail(user.reason)
  const data = asObject(user.json['data']) ?? {}
  const openId = textOf(data, 'open_id')
  if (user.json['code'] !== 0 || openId === '') return fail(`it did not identify the user${numberOf(user.json)}`)
  return {
    ok: true,
    identity: {
      issuer: addresses.lark,
      subject: openId,
      label: openId,
      username: '',
      displayName: textOf(data, 'name'),
      // Lark does not say whether the address was verified.
      email: '',
    },
  }
}

function numberOf({ code }: Readonly<Record<string, unknown>>): string {
  return typeof code === 'number' ? ` (${code})` : ''
}

const fail = (reason: string): Identified => ({ ok: false, reason })
