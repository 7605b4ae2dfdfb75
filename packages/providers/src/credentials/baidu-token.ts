import type { SetupProblem } from '../channel-setup.ts'
import type { Credentials } from './credentials.ts'
import { digestOf, readTokenReply } from './token-reply.ts'

const BAIDU = 'https://aip.baidubce.com'

/**
 * Access tokens of Baidu's older interface, from a key written `APIKey|SecretKey`; they are valid for thirty days and are part of
 * each call's query. Source: Baidu's "Access Token" page: `POST /oauth/2.0/token` with everything in the query.
 */
export function baiduCredentials(key: string, baseUrl: string): Credentials | SetupProblem {
  const [id = '', secret = '', ...more] = key.split('|').map((part) => part.trim())
  if (id === '' || secret === '' || more.length > 0) return { problem: 'API key must have the form APIKey|SecretKey' }
  const own = URL.parse(baseUrl.trim())
  const isOwn = own !== null && own.hostname !== 'qianfan.baidubce.com' && own.origin !== 'null'
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  return {
    kind: 'token',
    cacheKey: digestOf('baidu', key, isOwn ? own.origin : BAIDU),
    request: () => ({
      origin: isOwn ? own.origin : BAIDU,
      path: `/oauth/2.0/token?${new URLSearchParams(fields).toString()}`,
      headers: ['content-type', 'application/json', 'accept', 'application/json'],
      body: '{}',
    }),
    read: readTokenReply,
    headers: () => [],
    query: (token) => `access_token=${encodeURIComponent(token)}`,
  }
}
