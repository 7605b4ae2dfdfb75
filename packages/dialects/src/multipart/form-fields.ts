import { type BodyRefusal, duplicateKey, invalidField } from '../body-refusal.ts'
import { misspelt } from '../request-fields.ts'
import { STRAY_PARTS, strayField } from '../steering.ts'
import { type FormPart, scanForm } from './form.ts'

export interface FormNames {
  /** Fields that determine the charge; if one occurred twice, two readers might see different requests. */
  readonly fields: ReadonlySet<string>
  /** Only these may have a file name, because readers treat files separately from fields. */
  readonly files: ReadonlySet<string>
}

/** The parts of a form, none of which a reader could mistake for another one. */
export function readForm(body: Uint8Array, boundary: string, names: FormNames): readonly FormPart[] | BodyRefusal {
  const parts = scanForm(body, boundary)
  if ('fault' in parts) return invalidField('body', `must be a complete form: ${parts.fault}`)
  const seen = new Set<string>()
  for (const { name, isFile } of parts) {
    const isField = names.fields.has(name)
    if (isField && seen.has(name)) return duplicateKey(name)
    if (isField && isFile && !names.files.has(name)) return invalidField(name, 'must be sent without a file name')
    seen.add(name)
    if (isField || names.files.has(name)) continue
    const field = fieldOf(name)
    if (names.fields.has(field) || names.files.has(field)) return misspelt(field, name)
    if (STRAY_PARTS.has(field)) return strayField(name)
  }
  return parts
}

/** The name as lenient readers interpret it: in any case, dots as underscores, brackets as a list. */
function fieldOf(name: string): string {
  return (name.toLowerCase().split('[')[0] ?? '').replaceAll(/[.-]/g, '_')
}
