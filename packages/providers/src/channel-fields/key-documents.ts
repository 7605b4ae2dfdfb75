import { isPlainAddress } from './field-problem.ts'
import { type JsonObject, parseObject, textOf } from './json-object.ts'

/** Required fields, in the order in which missing ones are reported. */
const COZE_JWT_FIELDS = [
  'client_type',
  'client_id',
  'coze_www_base',
  'coze_api_base',
  'private_key',
  'public_key_id',
] as const

const GOOGLE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  service_account: ['client_email', 'private_key'],
  authorized_user: ['client_id', 'client_secret', 'refresh_token'],
}

/** What is wrong with the OAuth document of a Coze app, which signs tokens with its own private key. */
export function cozeDocumentProblem(text: string): string | undefined {
  const document = parseObject(text)
  if (document === undefined) return 'Invalid JSON format'
  const missing = COZE_JWT_FIELDS.find((field) => textOf(document[field]) === '')
  if (missing !== undefined) return `Missing required field: ${missing}`
  if (!isPlainAddress(textOf(document['coze_api_base']))) return 'coze_api_base must be an http:// or https:// address'
  return pemProblem(document)
}

/** Google's application default credentials. Assertions signed with the private key go to `token_uri`, so it must use https. */
export function googleDocumentProblem(text: string): string | undefined {
  const document = parseObject(text)
  if (document === undefined) return 'Invalid JSON format'
  const fields = GOOGLE_FIELDS[textOf(document['type'])]
  if (fields === undefined) return `type must be ${Object.keys(GOOGLE_FIELDS).join(' or ')}`
  const missing = fields.find((field) => textOf(document[field]) === '')
  if (missing !== undefined) return `Missing required field: ${missing}`
  const { token_uri: tokenUri } = document
  if (tokenUri !== undefined && !(isPlainAddress(textOf(tokenUri)) && /^https:/i.test(textOf(tokenUri)))) {
    return 'token_uri must be an https:// address'
  }
  return fields.includes('private_key') ? pemProblem(document) : undefined
}

function pemProblem(document: JsonObject): string | undefined {
  const isPem = /^-----BEGIN [A-Z ]*PRIVATE KEY-----\s/.test(textOf(document['private_key']))
  return isPem ? undefined : 'private_key must be a PEM text that begins with -----BEGIN PRIVATE KEY-----'
}
