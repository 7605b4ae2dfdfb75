import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import * as v from 'valibot'
import {
  type AttachedImage,
  type AttachmentNotice,
  createAttachments,
} from '~/features/playground/model/images/attachments.ts'
import { processImage, readAsIs } from '~/features/playground/model/images/process-image.ts'
import { reduceInPage, reduceInWorker } from '~/features/playground/model/images/reduce.ts'
import { imagesTexts } from '~/features/playground/texts/images-texts.ts'
import { BREAKPOINTS } from '~/lib/dom/use-media.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { PLAYGROUND_KEYS } from '~/lib/storage/keys.ts'
import { type KeyValueStorage, storedRecord } from '~/lib/storage/stored-record.ts'
import { createStore, type Store } from '~/lib/store.ts'
import { randomUuid } from '~/lib/uuid.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useSetupControls } from '../setup/setup-controls.ts'
import { useSetup } from '../use-playground.ts'

export interface AttachmentState {
  readonly items: readonly AttachedImage[]
  /** `data:` addresses of the pictures that are ready, in order, as `contentOf` takes them. */
  readonly images: readonly string[]
  /** True while pictures are processed; sending has to wait. */
  readonly pending: boolean
  /** Names of selected models that are known not to read pictures; '' for none. */
  readonly blind: string
  readonly add: (files: readonly File[]) => void
  readonly remove: (id: string) => void
  /** Replaces all pictures; called without any after sending. */
  readonly reset: (images: readonly string[]) => void
}

/** Pictures of the next question, for the composer and for anything that shows what would be sent. */
export const NextAttachmentsContext = createContext<AttachmentState | undefined>(undefined)

export function useNextAttachments(): AttachmentState {
  const attachments = useContext(NextAttachmentsContext)
  if (attachments === undefined) throw new Error('useNextAttachments needs a NextAttachmentsContext above it')
  return attachments
}

/** `initial`: pictures that the message already has. */
export function useAttachments(initial: readonly string[] = []): AttachmentState {
  const t = useTexts(imagesTexts)
  const toasts = useToasts()
  const { models, capabilitiesOf } = useSetup()
  // While capabilities are unknown, pictures are accepted and the provider decides.
  const isKnown = useSetupControls().models.channelState === 'ready'
  const [attachments] = useState(() =>
    createAttachments(
      {
        process: (file, signal) => processImage(file, imageParts(), signal),
        previewOf: (file) => URL.createObjectURL(file),
        release: (preview) => URL.revokeObjectURL(preview),
        newId: () => randomUuid((bytes) => crypto.getRandomValues(bytes)),
        notify: (notice) => toasts.show({ tone: notice.kind === 'as-is' ? 'info' : 'bad', ...noticeOf(t, notice) }),
      },
      initial,
    ),
  )
  const items = useSyncExternalStore(attachments.subscribe, attachments.get)
  // Leaving the screen cancels the processing of pictures.
  useEffect(() => () => attachments.cancel(), [attachments])
  const blind = [...new Set(models)]
    .filter((model) => isKnown && model !== '' && !capabilitiesOf(model).supportsVision)
    .join(', ')
  return {
    items,
    images: items.flatMap(({ base64 }) => (base64 === '' ? [] : [base64])),
    pending: items.some(({ base64 }) => base64 === ''),
    blind,
    add(files) {
      if (files.length === 0) return
      if (blind === '') attachments.add(files)
      else toasts.show({ tone: 'info', title: t.noVision(blind) })
    },
    remove: (id) => attachments.remove(id),
    reset: (images) => attachments.reset(images),
  }
}

const isMobile = () => window.matchMedia(`(width < ${BREAKPOINTS.tablet}px)`).matches
const imageParts = () => ({ mobile: isMobile(), reduce: [reduceInWorker, reduceInPage], readAsIs })

function noticeOf(t: typeof imagesTexts.en, { kind, files }: AttachmentNotice): { title: string; text: string } {
  const names = files.map(({ name }) => name).join(', ')
  switch (kind) {
    case 'wrongType':
      return { title: t.wrongType, text: t.wrongTypeText(names) }
    case 'tooLarge':
      return { title: t.tooLarge, text: t.tooLargeText(names) }
    case 'tooMany':
      return { title: t.tooMany, text: t.tooManyText(names) }
    case 'as-is':
      return { title: isMobile() ? t.mobileFailed : t.imageFailed, text: t.asIsText(names) }
    case 'unreadable':
      return { title: t.allFailed, text: t.unreadableText(names) }
  }
}

/** A longer draft is kept only as long as the page, because each key press would store all of it. */
const KEPT_CHARACTERS = 20_000

export interface Draft {
  readonly text: Store<string>
  /** The text field; null while the composer is not mounted. */
  readonly field: { current: HTMLTextAreaElement | null }
}

/** Survives a visit to another page. Stored at each change, so that nothing is left to write after a sign-out. */
export function createDraft(storage: KeyValueStorage): Draft {
  const record = storedRecord(storage, PLAYGROUND_KEYS.draft, v.string())
  const store = createStore(record.read() ?? '')
  const set = (text: string) => {
    store.set(text)
    if (text === '' || text.length > KEPT_CHARACTERS) record.remove()
    else record.write(text)
  }
  return { text: { get: store.get, subscribe: store.subscribe, set }, field: { current: null } }
}

/** For a focused element that disappears. Not on touch screens, where focus would open the keyboard unasked. */
export function returnToField({ field }: Draft): void {
  if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
}

export const DraftContext = createContext<Draft | undefined>(undefined)

export function useDraft(): Draft {
  const draft = useContext(DraftContext)
  if (draft === undefined) throw new Error('useDraft needs a DraftContext above it')
  return draft
}
