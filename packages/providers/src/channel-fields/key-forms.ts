import { type FieldProblem, maskedProblem, problem } from './field-problem.ts'
import type { JsonObject } from './json-object.ts'
import { cozeDocumentProblem, googleDocumentProblem } from './key-documents.ts'

/** One way to write the key of a channel. */
interface KeyForm {
  /** As an administrator reads it. */
  readonly written: string
  readonly accepts: RegExp
}

export const COZE = 34
export const VERTEX_AI = 42

/** Regions become part of a host name, projects part of a path, so neither may hold anything that could lead elsewhere. */
export const REGION = /^[a-z][a-z0-9-]{0,39}$/
export const PROJECT = /^[a-z0-9][a-z0-9.:-]{0,99}$/

/** How keys are written where it is not one word: forms by channel type code. Their differences show in their look. */
const KEY_FORMS: Readonly<Record<number, readonly KeyForm[]>> = {
  // Azure: the key of a resource, or an application that signs in at Entra.
  3: [
    { written: 'one word', accepts: /^[!-{}~]+$/ },
    { written: 'tenant|client_id|client_secret', accepts: /^[!-{}~]+\|[!-{}~]+\|[!-{}~]+$/ },
  ],
  // Baidu: a key of Qianfan, or the pair of its older interface.
  15: [
    { written: 'APIKey|SecretKey', accepts: /^[!-{}~]+\|[!-{}~]+$/ },
    { written: 'bce-v3/…', accepts: /^bce-v3\/[!-{}~]+$/ },
  ],
  16: [{ written: 'id.secret', accepts: /^[\w-]+\.[\w-]+$/ }],
  18: [
    { written: 'APPID|APISecret|APIKey', accepts: /^[!-{}~]+\|[!-{}~]+\|[!-{}~]+$/ },
    { written: 'one word (an API password)', accepts: /^[!-{}~]+$/ },
  ],
  // Tencent: the parts of a signature, or a key of TokenHub.
  23: [
    { written: 'AppId|SecretId|SecretKey', accepts: /^\d+\|[!-{}~]+\|[!-{}~]+$/ },
    { written: 'sk-…', accepts: /^sk-[!-{}~]+$/ },
  ],
  // AWS: an access key, also a temporary one with its session token, or a Bedrock API key.
  33: [
    {
      written: 'AccessKey|SecretKey|Region',
      accepts: /^[!-{}~]+\|[!-{}~]+\|[a-z][a-z0-9-]{0,39}(?:\|[!-{}~]+)?$/,
    },
    { written: 'one word (a Bedrock API key)', accepts: /^[!-{}~]+$/ },
  ],
  // A personal access token; the other way to sign in is a document.
  [COZE]: [{ written: 'one word', accepts: /^[!-z|}~]+$/ }],
  43: [{ written: 'the value of an Authorization header', accepts: /^[!-~](?:[ -~]*[!-~])?$/ }],
}

/** Any other kind: it is sent in a header. */
const BARE = /^[!-~]+$/

/** How the key of a type may be written, for people. */
export function writtenKeyForms(code: number): readonly string[] {
  if (code === VERTEX_AI) return ['Region|ProjectID|credentials in JSON']
  const forms = KEY_FORMS[code]?.map(({ written }) => written) ?? ['one word']
  return code === COZE ? [...forms, 'the JSON document of an OAuth app (auth_type oauth_jwt)'] : forms
}

/** True when a key of one kind is written like those of the other, so that it may stay when a channel changes its type. */
export function hasSameKeyForm(code: number, other: number): boolean {
  return code === other || (isBare(code) && isBare(other))
}

const isBare = (code: number): boolean => KEY_FORMS[code] === undefined && code !== VERTEX_AI

/** What is wrong with one key of a channel of this type. The rule never repeats the key. */
export function keyProblem(code: number, key: string, config: JsonObject): FieldProblem | undefined {
  const masked = maskedProblem('key', key)
  if (masked !== undefined) return masked
  const rule = formProblem(code, key, config)
  return rule === undefined ? undefined : problem('key', rule)
}

function formProblem(code: number, key: string, config: JsonObject): string | undefined {
  if (code === VERTEX_AI) return vertexProblem(key)
  if (code === COZE && config['auth_type'] === 'oauth_jwt') return cozeDocumentProblem(key)
  const forms = KEY_FORMS[code]
  if (forms === undefined) {
    return BARE.test(key) ? undefined : 'may hold printable ASCII characters without spaces only'
  }
  if (forms.some(({ accepts }) => accepts.test(key))) return undefined
  return `must be written as ${forms.map(({ written }) => written).join(' or ')}`
}

function vertexProblem(key: string): string | undefined {
  const [region = '', project = '', ...rest] = key.split('|')
  if (rest.length === 0) return 'must be written as Region|ProjectID|credentials in JSON'
  if (!REGION.test(region.trim())) return 'must begin with a region such as us-central1'
  if (!PROJECT.test(project.trim())) return 'must hold a project id after the region'
  const document = googleDocumentProblem(rest.join('|'))
  return document === undefined ? undefined : `credentials: ${document}`
}
