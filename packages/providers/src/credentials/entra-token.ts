import type { SetupProblem } from '../channel-setup.ts'
import type { Credentials } from './credentials.ts'
import { digestOf, formRequest, readTokenReply } from './token-reply.ts'

const SIGN_IN = 'https://login.microsoftonline.com'
const OPENAI_SCOPE = 'https://cognitiveservices.azure.com/.default'
const FOUNDRY_SCOPE = 'https://ai.azure.com/.default'

/** Tokens of an application that signs in at Microsoft Entra, from a key written `tenant|client_id|client_secret`. */
export function entraCredentials(key: string, host: string): Credentials | SetupProblem {
  const [tenant = '', clientId = '', secret = ''] = key.split('|')
  // Becomes part of a path.
  if (!/^[\w.-]{1,100}$/.test(tenant) || /^\.+$/.test(tenant))
    return { problem: 'API key must begin with the id of a tenant' }
  const address = new URL(`${SIGN_IN}/${tenant}/oauth2/v2.0/token`)
  const scope = host.endsWith('.services.ai.azure.com') ? FOUNDRY_SCOPE : OPENAI_SCOPE
  const fields = { client_id: clientId, client_secret: secret, scope, grant_type: 'client_credentials' }
  return {
    kind: 'token',
    cacheKey: digestOf('entra', key, scope),
    request: () => formRequest(address, fields),
    read: readTokenReply,
    headers: (token) => ['authorization', `Bearer ${token}`],
  }
}
