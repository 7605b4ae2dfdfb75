import { valibotResolver } from '@hookform/resolvers/valibot'
import { type DefaultValues, type FieldErrors, type FieldValues, useForm, type UseFormReturn } from 'react-hook-form'
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import { useTexts } from '../../lib/i18n/i18n.ts'
import { uiTexts } from '../texts/ui-texts.ts'
import { useToasts } from '../toast/toasts.ts'

/** A form's field values, checked by a schema. `Out` is what `onValid` receives. */
export interface SchemaForm<In extends FieldValues, Out extends FieldValues> {
  readonly form: UseFormReturn<In, unknown, Out>
  /** For the form element's `onSubmit`. */
  readonly submit: (onValid: (values: Out) => Promise<void>) => (event: { preventDefault(): void }) => void
}

/**
 * A form over a schema. Errors show on submit and clear while typing; an invalid submit shows the 'Validation error'
 * notice and puts the focus on the first bad field.
 */
export function useSchemaForm<S extends GenericSchema<FieldValues, FieldValues>>(
  schema: S,
  defaultValues: DefaultValues<InferInput<S>>,
): SchemaForm<InferInput<S>, InferOutput<S>> {
  const t = useTexts(uiTexts)
  const toasts = useToasts()
  const form = useForm<InferInput<S>, unknown, InferOutput<S>>({
    resolver: valibotResolver(schema),
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
  })
  const onInvalid = (errors: FieldErrors<InferInput<S>>) => {
    toasts.show({ tone: 'bad', title: t.validationError, text: firstMessage(errors) ?? t.checkFields })
  }
  return {
    form,
    submit: (onValid) => (event) => {
      event.preventDefault()
      void form.handleSubmit(onValid, onInvalid)()
    },
  }
}

/** Text of the first error, in the order in which the schema lists its fields. */
function firstMessage(errors: FieldErrors): string | undefined {
  for (const error of Object.values(errors)) {
    if (typeof error?.message === 'string' && error.message !== '') return error.message
  }
  return undefined
}
