import type { JsonObject } from '../../json-value.ts'
import type { FieldReader } from '../field-reader.ts'
import type { BuiltinTool, CanonRequest, ToolChoice } from '../request.ts'

const MODES = ['auto', 'none', 'required'] as const

/** A choice in one word, as clients of OpenAI's dialects write it; others than those of a published API are refused. */
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

/** Gemini's mode: the model decides, and its calls follow their schemas. Copilot writes it for Gemini's models in any dialect. */
const VALIDATED = 'validated'

/** Among the fields of a client's dialect: the choice is one that only Gemini knows. */
export const VALIDATED_CHOICE = 'tool_choice.validated'

/** The field above, where a client's choice is that one. */
export function validatedChoice(choice: unknown): JsonObject {
  return choice === VALIDATED ? { [VALIDATED_CHOICE]: true } : {}
}

/** Whether a tool must be called. Without tools that means nothing, and providers refuse it: then it is lost. */
export function mustCall(choice: ToolChoice | undefined): boolean {
  return choice?.mode === 'required' || choice?.mode === 'named' || (choice?.mode === 'allowed' && choice.required)
}

/** The provider's tool that must be called: a choice may name one that is not a function, as Claude Code's searches do. */
export function chosenBuiltin({ tools, builtins, toolChoice }: CanonRequest): BuiltinTool | undefined {
  if (toolChoice?.mode !== 'named' || tools.some(({ name }) => name === toolChoice.name)) return undefined
  return builtins.find(({ name, value }) => name === toolChoice.name || value['name'] === toolChoice.name)
}
