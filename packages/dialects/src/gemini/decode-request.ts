import type { BodyRefusal } from '../body-refusal.ts'
import type { PathFacts } from '../canon/codec.ts'
import { FieldReader, othersThan } from '../canon/field-reader.ts'
import type { CanonRequest } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { camelCase } from './camel-case.ts'
import { decodeGeneration } from './decode-generation.ts'
import { decodeToolConfig, decodeTools } from './decode-tools.ts'
import { decodeContents, decodeSystem } from './decode-turns.ts'

const KNOWN = new Set([
  'model',
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'generationConfig',
  'serviceTier',
])

/**
 * A body of `generateContent`, in camel or in snake case. `extra.fields` are named by their paths if they are nested:
 * `generationConfig.speechConfig`. Source: Gemini API reference, v1beta.
 */
export function decodeGemini(body: JsonObject, facts: PathFacts): CanonRequest | BodyRefusal {
  const reader = new FieldReader()
  const root = camelCase(body)
  const fields: Record<string, unknown> = { ...othersThan(root, KNOWN) }
  const model = facts.model ?? reader.needText(root['model'], 'model').replace(/^models\//, '')
  const { tools, builtins } = decodeTools(root['tools'], reader, fields)
  const request: CanonRequest = {
    model,
    stream: facts.stream ?? false,
    system: decodeSystem(root['systemInstruction'], reader),
    turns: decodeContents(root['contents'], reader, fields),
    tools,
    builtins,
    toolChoice: decodeToolConfig(root['toolConfig'], reader, fields),
    ...decodeGeneration(root['generationConfig'], reader, fields),
    serviceTier: decodeTier(reader.text(root['serviceTier'], 'serviceTier')),
    extra: { dialect: 'gemini', fields },
  }
  return reader.refusal ?? request
}

function decodeTier(tier: string | undefined): string | undefined {
  const word = tier?.toLowerCase()
  if (word === undefined || word === '' || word === 'unspecified') return undefined
  return word === 'standard' ? 'default' : word
}
