import { configurationDocument } from '@sluice/contract/configuration/document'
import { jsonSchema, type JsonSchema } from '@sluice/contract/json-schema'
import { OPTION_DEFINITIONS, type OptionDefinition, type OptionKey } from '@sluice/store/options/option-definitions'
import { isOptionKey } from '@sluice/store/options/options'
import { formOf, isConfigurable } from './option-values.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const REFERENCE: JsonSchema = { type: 'string', pattern: String.raw`^\$\{(env|file):.+\}$` }

/** The keys that a file can have, in order. */
function configurableOptions(): readonly OptionKey[] {
  const keys = Object.keys(OPTION_DEFINITIONS).filter(
    (key): key is OptionKey => isOptionKey(key) && isConfigurable(key),
  )
  return keys.sort()
}

/** A configuration file as JSON Schema: the contract's document, with each option in the form of its type. */
export function documentSchema(): JsonSchema & { readonly $schema: string; readonly title: string } {
  const document = jsonSchema(configurationDocument)
  const options: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(configurableOptions().map((key) => [key, optionSchema(key)])),
    additionalProperties: false,
  }
  return {
    $schema: DIALECT,
    title: 'Sluice configuration file',
    ...document,
    properties: { ...document.properties, options },
  }
}

function optionSchema(key: OptionKey): JsonSchema {
  const definition: OptionDefinition = OPTION_DEFINITIONS[key]
  switch (formOf(key)) {
    case 'flag':
      return { type: 'boolean' }
    case 'list':
      return { type: 'array', items: { type: 'string' } }
    case 'object':
      return { type: 'object' }
    case 'secret':
      return REFERENCE
    case 'number':
      return definition.type === 'integer' || definition.type === 'decimal'
        ? {
            type: definition.type === 'integer' ? 'integer' : 'number',
            minimum: definition.min,
            maximum: definition.max,
          }
        : {}
    case 'text':
      return definition.type === 'choice' ? { enum: definition.values } : { type: 'string' }
  }
}
