import type { JsonObject } from '@sluice/dialects/json-value'
import { REGION } from '../channel-fields/field-problem.ts'
import type { SetupProblem } from '../channel-setup.ts'

export interface AwsKey {
  readonly region: string
  readonly access: AwsAccess | { readonly apiKey: string }
}

export interface AwsAccess {
  readonly id: string
  readonly secret: string
  /** For a temporary access key. */
  readonly token?: string
}

/** Reads `AccessKey|SecretKey|Region` with or without a session token, or a Bedrock API key, whose region is a setting. */
export function readAwsKey(key: string, config: JsonObject): AwsKey | SetupProblem {
  const parts = key.trim().split('|')
  if (parts.some((part) => !/^[\u0021-\u007e]+$/.test(part))) return { problem: FORM }
  const [id = '', secret, region = config['region'], token] = parts
  if (typeof region !== 'string' || !REGION.test(region))
    return { problem: 'config.region must be a region such as us-east-1' }
  if (secret === undefined) return { region, access: { apiKey: id } }
  if (parts.length > 4 || parts.length < 3) return { problem: FORM }
  return { region, access: token === undefined ? { id, secret } : { id, secret, token } }
}

const FORM = 'API key must have the form AccessKey|SecretKey|Region, or be a Bedrock API key'
