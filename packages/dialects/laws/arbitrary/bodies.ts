import type * as fc from 'fast-check'
import { isInexpressible, type Target } from '../../src/canon/codec.ts'
import type { JsonObject } from '../../src/json-value.ts'
import type { ClientDialect } from '../client-dialects.ts'
import { requests } from './requests.ts'

export function bodies({ client, upstream, requests: features, takes }: ClientDialect): fc.Arbitrary<JsonObject> {
  return requests(features, client.dialect).map((request) => {
    const target: Target = { model: request.model, stream: request.stream, takes, defaultMaxTokens: 4_096 }
    const encoded = upstream.encodeRequest(request, target)
    return isInexpressible(encoded) ? {} : encoded.body
  })
}
