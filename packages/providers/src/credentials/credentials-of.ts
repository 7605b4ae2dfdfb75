import type { ChannelSetup, SetupProblem } from '../channel-setup.ts'
import { isSetupProblem } from '../channel-setup.ts'
import type { Credentials, HeaderList } from './credentials.ts'

/** What proves to the provider of a channel whose calls these are. Made once for each channel. */
export function credentialsOf(setup: ChannelSetup): Credentials | SetupProblem {
  const key = setup.key.trim()
  switch (setup.kind.credentials) {
    case 'bearer-optional':
      return key === '' ? { kind: 'fixed', headers: [] } : fixed(key, bearer)
    case 'bearer':
      return fixed(key, bearer)
    case 'x-api-key':
      return fixed(key, anthropicKey)
    case 'goog-api-key':
      return fixed(key, (word) => ['x-goog-api-key', word])
    case 'azure-key':
      // Claude on Foundry reads the second one.
      return fixed(key, (word) => ['api-key', word, 'x-api-key', word])
    default:
      return { problem: `Channels of type ${setup.kind.name} cannot be called yet` }
  }
}

/** Signs in with OAuth: the key of a subscription, not of the API. */
const OAUTH_KEY = 'sk-ant-oat'

function anthropicKey(key: string): HeaderList {
  if (key.startsWith(OAUTH_KEY)) return [...bearer(key), 'anthropic-beta', 'oauth-2025-04-20']
  return ['x-api-key', key]
}

export const bearer = (key: string): HeaderList => ['authorization', `Bearer ${key}`]

function fixed(key: string, headers: (word: string) => HeaderList): Credentials | SetupProblem {
  const word = oneWord(key)
  return isSetupProblem(word) ? word : { kind: 'fixed', headers: headers(word.key) }
}

/** A key with white space or control characters inside could add headers of its own. */
function oneWord(key: string): { readonly key: string } | SetupProblem {
  if (key === '') return { problem: 'API key is required' }
  return /^[\u0021-\u007e]+$/.test(key) ? { key } : { problem: 'API key may hold printable ASCII characters only' }
}
