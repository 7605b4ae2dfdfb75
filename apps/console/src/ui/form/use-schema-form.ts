import { valibotResolver } from '@hookform/resolvers/valibot'
import { useEffect, useState } from 'react'
import { type DefaultValues, type FieldErrors, type FieldValues, useForm, type UseFormReturn } from 'react-hook-form'
import type { GenericSchema, InferInput, InferOutput } from 'valibot'
import type { Failure } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { uiTexts } from '../texts/ui-texts.ts'
import { useToasts } from '../toast/toasts.ts'

export interface FormState {
  /** The error of the last save; otherwise empty. */
  readonly error: string
  readonly busy: boolean
  readonly onSubmit: (event: { preventDefault(): void }) => void
}

export interface SchemaForm<In extends FieldValues, Out> extends FormState {
  readonly form: UseFormReturn<In, unknown, Out>
  /** Validates as the form's own button does, but saves in another way. */
  readonly submit: (onSave: SaveValues<Out>) => void
}

/** Returns what went wrong, or an empty text. */
type SaveValues<Out> = (values: Out) => Promise<string>

/**
 * Shows errors on submit, and updates them while typing from then on. An invalid submit shows the 'Validation error' notice and
 * focuses the first invalid field. `onSave` receives the schema's output and returns what went wrong, or an empty text.
 */
export function useSchemaForm<S extends GenericSchema<FieldValues, FieldValues>>(
  schema: S,
  defaultValues: DefaultValues<InferInput<S>>,
  onSave: SaveValues<InferOutput<S>>,
): SchemaForm<InferInput<S>, InferOutput<S>> {
  const t = useTexts(uiTexts)
  const toasts = useToasts()
  const [error, setError] = useState('')
  const [busy, setBusy] = useState(false)
  const form = useForm<InferInput<S>, unknown, InferOutput<S>>({
    resolver: valibotResolver(schema),
    defaultValues,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    // Otherwise rules about several fields are not checked while any single field is invalid.
    criteriaMode: 'all',
    // The library orders fields by their first appearance, which is not their order on the page.
    shouldFocusError: false,
  })
  useFocusOnRefusal(form)
  const submit = (save: SaveValues<InferOutput<S>>) => {
    if (busy) return
    const saveValid = async (values: InferOutput<S>) => {
      setBusy(true)
      setError(await save(values))
      setBusy(false)
    }
    void form.handleSubmit(saveValid, refuse)()
  }
  const refuse = (errors: FieldErrors<InferInput<S>>) => {
    toasts.show({ tone: 'bad', title: t.validationError, text: firstMessage(errors) ?? t.checkFields })
  }
  return {
    form,
    error,
    busy,
    onSubmit: (event) => {
      event.preventDefault()
      submit(onSave)
    },
    submit,
  }
}

function useFocusOnRefusal<In extends FieldValues, Out>({ formState }: UseFormReturn<In, unknown, Out>): void {
  const { submitCount, isSubmitSuccessful } = formState
  useEffect(() => {
    if (submitCount === 0 || isSubmitSuccessful) return
    const field = document.querySelector<HTMLElement>('form [aria-invalid=true]')
    // In the middle, clear of anything that floats above or below the form.
    field?.scrollIntoView({ block: 'center' })
    field?.focus({ preventScroll: true })
  }, [submitCount, isSubmitSuccessful])
}

function firstMessage(errors: FieldErrors): string | undefined {
  for (const error of Object.values(errors)) {
    if (typeof error?.message === 'string' && error.message !== '') return error.message
  }
  return undefined
}

/**
 * Returns the text for the form itself. A refusal shows the server's message, or the fallback ('Operation failed' unless the form
 * has its own), and a toast 'Request failed'; anything unforeseen shows a toast 'Unexpected error'.
 */
export function useSubmitFailure(fallback?: string): (failure: Failure) => string {
  const t = useTexts(uiTexts)
  const toasts = useToasts()
  return (failure) => {
    if (failure.kind === 'aborted') return ''
    // The navigation to sign-in has already begun; the text is for a form whose unsaved changes hold the visitor back.
    if (failure.kind === 'session') return t.sessionEnded
    if (failure.kind === 'refused') {
      const text = failure.message === '' ? (fallback ?? t.operationFailed) : failure.message
      toasts.show({ tone: 'bad', title: t.requestFailed, text })
      return text
    }
    const text = { timeout: t.timeout, network: t.network, reply: t.brokenReply }[failure.kind]
    toasts.show({ tone: 'bad', title: t.unexpectedError, text })
    return text
  }
}
