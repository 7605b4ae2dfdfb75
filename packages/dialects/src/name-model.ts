import { type BodyRefusal, isBodyRefusal } from './body-refusal.ts'
import { type FormNames, readForm } from './multipart/form-fields.ts'
import { formText } from './multipart/form.ts'
import { replaceText } from './openai-chat/stream/rewrite.ts'
import { refuseScan } from './request-fields.ts'
import { keySet } from './splice/key-set.ts'
import { isScanFault, parseScalar, scanObject } from './splice/scan.ts'
import { insertText, type Splice } from './splice/splice.ts'

const MODEL = keySet('model')
const NAMES: FormNames = { fields: new Set(['model']), files: new Set() }
const CLOSING_BRACE = 0x7d
const SPACE = 0x20

/** Sets the model that a JSON body names, or adds it; empty if the body already names it. */
export function nameModel(body: Uint8Array, model: string): readonly Splice[] | BodyRefusal {
  const scanned = scanObject(body, MODEL)
  if (isScanFault(scanned)) return refuseScan(scanned, 'body')
  const named = scanned.values.model
  if (named !== undefined) return parseScalar(body, named) === model ? [] : [replaceText(named, model)]
  const first = scanned.object.start + 1
  const isEmpty = body.subarray(first).find((byte) => byte > SPACE) === CLOSING_BRACE
  return [insertText(first, `"model":${JSON.stringify(model)}${isEmpty ? '' : ','}`)]
}

/** As `nameModel`, for a form. The model must not contain line ends, because it becomes the content of a part. */
export function nameModelInForm(body: Uint8Array, boundary: string, model: string): readonly Splice[] | BodyRefusal {
  const parts = readForm(body, boundary, NAMES)
  if (isBodyRefusal(parts)) return parts
  const named = parts.find(({ name }) => name === 'model')
  if (named === undefined) {
    return [insertText(0, `--${boundary}\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n`)]
  }
  return formText(body, named) === model ? [] : [{ ...named.content, bytes: new TextEncoder().encode(model) }]
}
