import type { Inexpressible } from '../canon/codec.ts'
import type { JsonObject } from '../json-value.ts'

/** The texts of a request for `/v1/embeddings`, for providers that take no token numbers. */
export function inputTexts({ input }: JsonObject): readonly string[] | Inexpressible {
  const list: readonly unknown[] = Array.isArray(input) ? input : [input]
  const texts = list.filter((item): item is string => typeof item === 'string')
  return texts.length === list.length
    ? texts
    : { field: 'input', rule: 'must contain texts: the provider does not accept token numbers' }
}
