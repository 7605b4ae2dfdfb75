import { asObject, type JsonObject } from '../json-value.ts'
import { isMadeFile } from './stored-objects.ts'

export function containerOf(message: JsonObject | undefined): readonly string[] {
  const id = asObject(message?.['container'])?.['id']
  return typeof id === 'string' && id !== '' ? [id] : []
}

/** Files in the result of a tool that runs at the provider. */
export function filesMade(event: JsonObject): readonly string[] {
  const result = asObject(asObject(event['content_block'])?.['content'])?.['content']
  const outputs: readonly unknown[] = Array.isArray(result) ? result : []
  const files = outputs.map((output) => asObject(output) ?? {}).filter(({ type }) => isMadeFile(type))
  return files.map(({ file_id }) => file_id).filter((id) => typeof id === 'string')
}
