import type { JsonObject } from '../../json-value.ts'
import type { FieldReader } from '../field-reader.ts'
import type { BuiltinTool, CanonRequest, ToolChoice } from '../request.ts'

const MODES = ['auto', 'none', 'required'] as const

/** A choice given as one word, as in OpenAI's dialects; words of no published API are refused. */
export function readChoiceWord(read: FieldReader, word: unknown, field: string): ToolChoice | undefined {
  switch (word) {
    // Mistral's word.
    case 'any':
      return { mode: 'required' }
    case VALIDATED:
      return { mode: 'auto' }
    default: {
      const mode = read.oneOf(word, field, MODES)
      return mode && { mode }
    }
  }
}

/** Gemini's mode: the model decides, and its calls follow their schemas. Copilot sends it to Gemini's models in any dialect. */
const VALIDATED = 'validated'

/** A field for the client's dialect, marking a choice that only Gemini supports. */
export const VALIDATED_CHOICE = 'tool_choice.validated'

/** `VALIDATED_CHOICE`, if the client made that choice. */
export function validatedChoice(choice: unknown): JsonObject {
  return choice === VALIDATED ? { [VALIDATED_CHOICE]: true } : {}
}

/** Without tools, a required call is meaningless and refused by providers, so it is dropped. */
export function mustCall(choice: ToolChoice | undefined): boolean {
  return choice?.mode === 'required' || choice?.mode === 'named' || (choice?.mode === 'allowed' && choice.required)
}

/** The provider's tool that must be called: a choice may select a tool that is not a function, as Claude Code's searches do. */
export function chosenBuiltin({ tools, builtins, toolChoice }: CanonRequest): BuiltinTool | undefined {
  if (toolChoice?.mode !== 'named' || tools.some(({ name }) => name === toolChoice.name)) return undefined
  return builtins.find(({ name, value }) => name === toolChoice.name || value['name'] === toolChoice.name)
}
